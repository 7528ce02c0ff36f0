import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export type DueOrganisation = { readonly orgId: string; readonly dueAt: Date };

/** Organisations whose members may have earned badges that nobody has awarded. */
export async function organisationsWithBadgesDue(pool: Pool): Promise<DueOrganisation[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<DueOrganisation>(
      'select org_id, badges_due_at as due_at from organisations where badges_due_at is not null',
    ),
  );
  return rows;
}
