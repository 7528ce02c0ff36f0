import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Revocation, RevocationRef } from './pending-revocations.store.ts';

const atOnce = 100;

/** Revocations that are due and that no process has claimed. */
export async function dueRevocations(pool: Pool, resting: readonly string[]): Promise<RevocationRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<RevocationRef>(
      `select org_id, revocation_id from pending_revocations
       where due_at <= now() and (leased_until is null or leased_until < now()) and revocation_id::text <> all($1::text[])
       order by due_at limit ${atOnce}`,
      [resting],
    ),
  );
  return rows;
}

/** True when a member has connected the same account at the platform since: it revokes a permission, not a token. */
export async function isConnectedAnew(pool: Pool, { provider, providerUserId }: Revocation): Promise<boolean> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query(`select from provider_accounts where provider = $1 and provider_user_id = $2 and state = 'connected'`, [
      provider,
      providerUserId,
    ]),
  );
  return rowCount !== 0;
}
