import type { Caller } from '@caravan/auth/claims';
import type { PushSubscriptionRequest } from '@caravan/contracts/http/deliveries';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { TakenPush } from './pushes.system.store.ts';
import { isSayableSql } from '../notices/index.ts';
import type { NoticeKind, Person, Switches } from '../notices/index.ts';
import { makeSealedKey } from '../signing-keys/index.ts';
import type { SealedKey } from '../signing-keys/index.ts';

const kid = 'push';

/** The one pair of the instance; the first process that starts makes it. */
export async function sealedPushKey(tx: Pick<Tx, 'query'>, keyEncryptionKey: Buffer, at: Date): Promise<SealedKey> {
  const read = 'select kid, public_jwk, private_key_encrypted as sealed from push_keys where kid = $1';
  const [known] = (await tx.query<SealedKey>(read, [kid])).rows;
  if (known) return known;
  const made = makeSealedKey(kid, keyEncryptionKey);
  await tx.query(
    `insert into push_keys (kid, public_jwk, private_key_encrypted, created_at) values ($1, $2, $3, $4)
      on conflict do nothing`,
    [kid, JSON.stringify(made.publicJwk), made.sealed, at],
  );
  const [stored] = (await tx.query<SealedKey>(read, [kid])).rows;
  return stored ?? made;
}

/** In place of what this session had before. False when the session has ended meanwhile. */
export async function keepSubscription(
  pool: Pool,
  { orgId, userId, sessionId, at }: Caller,
  { endpoint, keys }: PushSubscriptionRequest,
): Promise<boolean> {
  const { rowCount } = await withTenant(pool, orgId, (tx) =>
    tx.query(
      `insert into push_subscriptions (org_id, session_id, user_id, endpoint, p256dh, auth, subscribed_at)
        select org_id, session_id, user_id, $4, $5, $6, $7 from sessions
        where org_id = $1 and user_id = $2 and session_id = $3 and ended_at is null
        on conflict (org_id, session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
          auth = excluded.auth, subscribed_at = excluded.subscribed_at`,
      [orgId, userId, sessionId, endpoint, keys.p256dh, keys.auth, at],
    ),
  );
  return rowCount === 1;
}

type SessionRef = { readonly orgId: string; readonly sessionId: string };

export async function dropSubscription(pool: Pool, { orgId, sessionId }: SessionRef): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query('delete from push_subscriptions where org_id = $1 and session_id = $2', [orgId, sessionId]),
  );
}

/** What waits is on its way from now on, once, or never pushed, however many processes look at it. */
export async function sendOff(pool: Pool, { orgId, userId }: Person, told: readonly string[], at: Date): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query(
      `with looked_at as (
          update due_notices set push_at = null where org_id = $1 and user_id = $2 and push_at <= $4 returning notice_id)
        insert into pushes (org_id, user_id, notice_id, session_id, next_at)
        select s.org_id, s.user_id, l.notice_id, s.session_id, $4 from push_subscriptions s cross join looked_at l
        where s.org_id = $1 and s.user_id = $2 and l.notice_id = any($3::uuid[])
        on conflict do nothing`,
      [orgId, userId, told, at],
    ),
  );
}

export async function postponePushes(pool: Pool, { orgId, userId }: Person, from: Date, to: Date): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query('update due_notices set push_at = $4 where org_id = $1 and user_id = $2 and push_at <= $3', [
      orgId,
      userId,
      from,
      to,
    ]),
  );
}

export type PushInHand = {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly text: string;
  readonly link: string;
  readonly kind: NoticeKind;
  readonly raisedAt: Date;
  readonly expiresAt: Date | null;
  readonly timeZone: string;
  readonly switches: Switches;
};

/** Undefined when nobody is to see it there any more: read, signed out, deactivated, or about somebody whom it may not name. */
export async function pushInHand(pool: Pool, push: TakenPush, at: Date): Promise<PushInHand | undefined> {
  const { rows } = await withTenant(pool, push.orgId, (tx) =>
    tx.query<PushInHand>(
      `select s.endpoint, s.p256dh, s.auth, d.link,
          case when p.units = 'metric' then coalesce(d.metric_text, d.text) else d.text end as text, d.kind, d.raised_at,
          d.expires_at, p.time_zone,
          json_build_object('email', p.notify_by_email, 'push', p.notify_by_push, 'teamUpdates', p.notify_of_team,
            'weeklyReports', p.notify_weekly) as switches
        from pushes q
        join push_subscriptions s on (s.org_id, s.session_id) = (q.org_id, q.session_id)
        join sessions e on (e.org_id, e.session_id) = (q.org_id, q.session_id)
        join due_notices d on (d.org_id, d.user_id, d.notice_id) = (q.org_id, q.user_id, q.notice_id)
        join persons p on (p.org_id, p.user_id) = (q.org_id, q.user_id)
        join memberships m on (m.org_id, m.user_id) = (q.org_id, q.user_id)
        where q.org_id = $1 and q.user_id = $2 and q.notice_id = $3 and q.session_id = $4 and s.user_id = q.user_id
          and m.is_active and e.ended_at is null and e.idle_at > $5 and e.expires_at > $5
          and ${isSayableSql}`,
      [push.orgId, push.userId, push.noticeId, push.sessionId, at],
    ),
  );
  return rows[0];
}

export async function forgetPush(pool: Pool, { orgId, userId, noticeId, sessionId }: TakenPush): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query('delete from pushes where org_id = $1 and user_id = $2 and notice_id = $3 and session_id = $4', [
      orgId,
      userId,
      noticeId,
      sessionId,
    ]),
  );
}

export async function retryPush(
  pool: Pool,
  { orgId, userId, noticeId, sessionId }: TakenPush,
  at: Date,
): Promise<void> {
  await withTenant(pool, orgId, (tx) =>
    tx.query(
      `update pushes set next_at = $5
        where org_id = $1 and user_id = $2 and notice_id = $3 and session_id = $4`,
      [orgId, userId, noticeId, sessionId, at],
    ),
  );
}
