import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Person } from './due-notices.store.ts';

type Lease = { readonly at: Date; readonly expiresAt: Date; readonly most: number };

/** Leases members whose mail is due, so that of several processes one writes to each. */
export async function acquireMailLeases(pool: Pool, { at, expiresAt, most }: Lease, except: readonly string[]) {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Person>(
      `insert into notice_mail_leases as lease (org_id, user_id, expires_at)
        select org_id, user_id, $2 from due_notices d
        where mail_at <= $1 and user_id <> all($4::uuid[])
          and not exists (select from notice_mail_leases l where (l.org_id, l.user_id) = (d.org_id, d.user_id) and l.expires_at > $1)
        group by org_id, user_id order by min(mail_at), user_id limit $3
        on conflict (org_id, user_id) do update set expires_at = excluded.expires_at where lease.expires_at <= $1
        returning org_id, user_id`,
      [at, expiresAt, most, except],
    ),
  );
  return rows;
}

/** Releases leases early, so that their members can be mailed at once. */
export async function releaseMailLeases(pool: Pool, members: readonly Person[], expiresAt: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `delete from notice_mail_leases l using unnest($1::uuid[], $2::uuid[]) as m (org_id, user_id)
        where (l.org_id, l.user_id) = (m.org_id, m.user_id) and l.expires_at = $3`,
      [members.map(({ orgId }) => orgId), members.map(({ userId }) => userId), expiresAt],
    ),
  );
}

/** The app keeps notices for as long. */
export async function forgetNoticesBefore(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from due_notices where raised_at < $1', [before]));
}
