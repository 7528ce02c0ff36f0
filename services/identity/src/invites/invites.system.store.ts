import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../organisations/index.ts';

export type StoredInvite = {
  readonly orgId: string;
  readonly inviteId: string;
  readonly zones: ZoneHistory;
  readonly teamId: string | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly closedAt: Date | null;
  readonly maxUses: number | null;
  readonly uses: number;
  readonly domains: readonly string[];
};

/** Finds an invite by its code, which names no organisation. */
export async function inviteOf(pool: Pool, code: string): Promise<StoredInvite | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredInvite>(
      `select i.org_id, i.invite_id, ${zonesSql} as zones, i.team_id,
          i.expires_at, i.revoked_at, o.closed_at, i.max_uses, i.uses, i.domains
        from invites i join organisations o on o.org_id = i.org_id where i.code = $1`,
      [code],
    ),
  );
  return rows[0];
}

export async function forgetInvitesOfClosed(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `delete from invites i using organisations o
        where o.org_id = i.org_id and o.closed_at is not null and i.expires_at < $1`,
      [at],
    ),
  );
}
