import type { Caller } from '@caravan/auth/claims';
import type { OwnSession } from '@caravan/contracts/http/people';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres';
import { deviceNameOf } from '@caravan/service-kit/device-name';
import type { Pool } from '@caravan/service-kit/pool';

const isLive = 'ended_at is null and idle_at > $3 and expires_at > $3';

type Row = { id: string; device: string; createdAt: Date; lastSeenAt: Date };

export async function ownSessions(pool: Pool, { orgId, userId, sessionId, at }: Caller): Promise<OwnSession[]> {
  const { rows } = await tenantQuery<Row>(
    pool,
    orgId,
    `select session_id as id, device, created_at as "createdAt", last_seen_at as "lastSeenAt"
      from sessions where org_id = $1 and user_id = $2 and ${isLive} order by last_seen_at desc, session_id desc`,
    [orgId, userId, at],
  );
  return rows.map(({ id, device, createdAt, lastSeenAt }) => ({
    id,
    device: deviceNameOf(device),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === sessionId,
  }));
}

/** False when they have no such session. */
export async function endOwnSession(pool: Pool, { orgId, userId, at }: Caller, sessionId: string): Promise<boolean> {
  const { rowCount } = await withTenant(pool, orgId, (tx) =>
    tx.query(
      `update sessions set ended_at = $3, end_reason = 'signed-out'
        where org_id = $1 and user_id = $2 and session_id = $4 and ${isLive}`,
      [orgId, userId, at, sessionId],
    ),
  );
  return rowCount === 1;
}
