import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Person } from '../notices/index.ts';

type Turn = { readonly at: Date; readonly until: Date; readonly most: number };

export async function membersToPushTo(pool: Pool, at: Date, most: number): Promise<Person[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Person>(
      `select org_id, user_id from due_notices where push_at <= $1
        group by org_id, user_id order by min(push_at), user_id limit $2`,
      [at, most],
    ),
  );
  return rows;
}

/** Most members have no browser that wants to be told: they are settled together, not one by one. */
export async function dropPushesOfNobody(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `update due_notices d set push_at = null
        from (select org_id, user_id, notice_id from due_notices n where push_at <= $1
          and not exists (select from push_subscriptions s where (s.org_id, s.user_id) = (n.org_id, n.user_id))
          for update skip locked) as idle
        where (d.org_id, d.user_id, d.notice_id) = (idle.org_id, idle.user_id, idle.notice_id)`,
      [at],
    ),
  );
}

export type TakenPush = Person & {
  readonly noticeId: string;
  readonly sessionId: string;
  readonly attempts: number;
};

/** Pushes whose time has come; until then they are the caller's. */
export async function takePushes(pool: Pool, { at, until, most }: Turn): Promise<TakenPush[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<TakenPush>(
      `update pushes p set next_at = $2, attempts = attempts + 1
        from (select org_id, user_id, notice_id, session_id from pushes where next_at <= $1
          order by next_at limit $3 for update skip locked) as due
        where (p.org_id, p.user_id, p.notice_id, p.session_id)
          = (due.org_id, due.user_id, due.notice_id, due.session_id)
        returning p.org_id, p.user_id, p.notice_id, p.session_id,
          p.attempts`,
      [at, until, most],
    ),
  );
  return rows;
}

/** A browser belongs to whoever signed in there last, in whichever organisation. */
export async function forgetEndpoint(pool: Pool, endpoint: string): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from push_subscriptions where endpoint = $1', [endpoint]));
}

/** Sessions that nobody ended and that are over all the same. */
export async function forgetEndpointsOfOver(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `delete from push_subscriptions p using sessions s where (s.org_id, s.session_id) = (p.org_id, p.session_id)
        and (s.ended_at is not null or s.idle_at <= $1 or s.expires_at <= $1)`,
      [at],
    ),
  );
}
