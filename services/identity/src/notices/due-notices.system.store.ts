import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Person } from './due-notices.store.ts';

type Turn = { readonly at: Date; readonly until: Date; readonly most: number };

/** Members whose mail is due and that nobody writes; until then they are the caller's. */
export async function takeMailTurns(pool: Pool, { at, until, most }: Turn, except: readonly string[]) {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Person>(
      `insert into mail_turns as turn (org_id, user_id, until)
        select org_id, user_id, $2 from due_notices d
        where mail_at <= $1 and user_id <> all($4::uuid[])
          and not exists (select from mail_turns t where (t.org_id, t.user_id) = (d.org_id, d.user_id) and t.until > $1)
        group by org_id, user_id order by min(mail_at), user_id limit $3
        on conflict (org_id, user_id) do update set until = excluded.until where turn.until <= $1
        returning org_id, user_id`,
      [at, until, most, except],
    ),
  );
  return rows;
}

/** Ends turns early, so that their members can be mailed at once. */
export async function giveMailTurnsBack(pool: Pool, members: readonly Person[], until: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query(
      `delete from mail_turns t using unnest($1::uuid[], $2::uuid[]) as m (org_id, user_id)
        where (t.org_id, t.user_id) = (m.org_id, m.user_id) and t.until = $3`,
      [members.map(({ orgId }) => orgId), members.map(({ userId }) => userId), until],
    ),
  );
}

/** The app keeps notices for as long. */
export async function forgetNoticesBefore(pool: Pool, before: Date): Promise<void> {
  await withSystem(pool, (tx) => tx.query('delete from due_notices where raised_at < $1', [before]));
}
