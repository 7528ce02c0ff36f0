import type { Role } from '@caravan/contracts/events/fields';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export type StoredReset = {
  readonly orgId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly organization: string;
};

/** Undefined when it is unknown, used, expired, or of somebody deactivated. */
export async function resetOf(pool: Pool, tokenHash: Buffer, at: Date): Promise<StoredReset | undefined> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<StoredReset>(
      `select r.org_id, r.user_id, p.name, p.email, m.role, o.name as organization
        from password_resets r
        join persons p on (p.org_id, p.user_id) = (r.org_id, r.user_id)
        join memberships m on (m.org_id, m.user_id) = (r.org_id, r.user_id)
        join organisations o on o.org_id = r.org_id
        where r.token = $1 and r.used_at is null and r.expires_at > $2 and (m.is_active or p.pending_domains <> '{}')`,
      [tokenHash, at],
    ),
  );
  return rows[0];
}

export async function forgetResetsOver(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from password_resets where expires_at < $1', [before]));
}
