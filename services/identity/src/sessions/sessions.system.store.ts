import type { SessionState } from '@caravan/auth/session-liveness';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** Whether a session lives; an unknown one has ended. */
export async function sessionStateOf(pool: Pool, sessionId: string, at: Date): Promise<SessionState> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query('select from sessions where session_id = $1 and ended_at is null and idle_at > $2 and expires_at > $2', [
      sessionId,
      at,
    ]),
  );
  return rowCount === 1 ? 'live' : 'ended';
}

export async function sessionsEndedSince(pool: Pool, since: Date): Promise<string[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ sessionId: string }>(
      `select session_id from sessions where ended_at > $1
        union all select session_id from erased_sessions where erased_at > $1`,
      [since],
    ),
  );
  return rows.map((row) => row.sessionId);
}

/** With their tokens; answers how many. */
export async function forgetSessionsOver(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await withSystem(pool, (tx) =>
    tx.query('delete from sessions where ended_at < $1 or expires_at < $1', [before]),
  );
  return rowCount ?? 0;
}
