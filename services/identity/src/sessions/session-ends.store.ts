import type { Tx } from '@caravan/event-store/core/event-store';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { EndReason } from './session-rules.ts';

/** A condition on `sessions`; its own values begin at `$4`. */
export type EndingSessions = { readonly where: string; readonly values: readonly unknown[] };

export type Ending = { readonly orgId: string; readonly reason: EndReason; readonly at: Date };

/**
 * The only statement that ends sessions. Pushes to their browsers end with them, and what is still to be announced is
 * noted in the same transaction. Answers the ids of those that ended now.
 */
export async function endSessions(
  tx: Tx,
  { where, values }: EndingSessions,
  { orgId, reason, at }: Ending,
): Promise<string[]> {
  const { rows } = await tx.query<{ sessionId: string }>(
    `update sessions set ended_at = $2, end_reason = $3
      where org_id = $1 and ended_at is null and ${where} returning session_id`,
    [orgId, at, reason, ...values],
  );
  const sessionIds = rows.map((row) => row.sessionId);
  if (sessionIds.length === 0) return [];
  await tx.query('delete from push_subscriptions where org_id = $1 and session_id = any($2)', [orgId, sessionIds]);
  await tx.query(
    `insert into unannounced_session_ends (session_id, ended_at) select unnest($1::uuid[]), $2
      on conflict (session_id) do nothing`,
    [sessionIds, at],
  );
  return sessionIds;
}

const atOnce = 1_000;

export async function unannouncedEnds(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ sessionId: string }>(
    `select session_id from unannounced_session_ends order by ended_at limit ${atOnce}`,
  );
  return rows.map((row) => row.sessionId);
}

export async function forgetAnnounced(pool: Pool, sessionIds: readonly string[]): Promise<void> {
  await pool.query('delete from unannounced_session_ends where session_id = any($1)', [sessionIds]);
}

export async function forgetEndsBefore(pool: Pool, before: Date): Promise<void> {
  await pool.query('delete from unannounced_session_ends where ended_at < $1', [before]);
}
