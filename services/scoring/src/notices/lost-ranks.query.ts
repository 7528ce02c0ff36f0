import type { Tx } from '@caravan/event-store/core/event-store';
import { isRankShownSql } from '../directory/index.ts';
import { isOnBoardsSql } from '../leaderboards/index.ts';
import { rankLost } from './public-events.ts';
import type { Reminder } from './reminders.ts';

/** Of one look; whoever is left out is overtaken again. */
const maxReminders = 50;
/** Further down a lost place is no news, and looking would cost what the organisation is large. */
const lastRankWithReminder = 1_000;

// Who stands right behind a member who gained, and did not before; `score` is as in the index of the board. The top is
// walked once: behind row-level security no index leads to a place in it. Members are looked up one by one, since a plan
// made for a small organisation would read all of a large one.
const overtakenSql = `
  with top as materialized (
    select user_id, score, rank() over (order by score) as rank,
      row_number() over (order by score, reached_at, user_id) as place
    from (
      select user_id, -centimiles as score, reached_at from member_totals where org_id = $1 and centimiles > 0 and ${isOnBoardsSql}
      order by -centimiles, reached_at, user_id limit ${lastRankWithReminder}
    ) t
  ), gained as materialized (
    select t.user_id, t.score, t.score + g.centimiles as score_before
    from json_to_recordset($2) as g (user_id uuid, centimiles bigint)
    join top t on t.user_id = g.user_id
    join lateral (select * from members where org_id = $1 and user_id = g.user_id offset 0) m on ${isRankShownSql}
    where g.centimiles > 0
  ), behind as materialized (
    select g.user_id as by_user_id, b.* from gained g cross join lateral (
      select user_id, rank, score from top where score > g.score order by place limit 1
    ) b
    where b.score <= g.score_before
  ), unsent as materialized (
    select distinct on (b.user_id) b.*, ($3::timestamptz at time zone coalesce(m.time_zone, 'UTC'))::date as local_date
    from behind b
    join lateral (select * from members where org_id = $1 and user_id = b.user_id offset 0) m on ${isRankShownSql}
    where not exists (select from sent_reminders t where t.org_id = $1 and t.user_id = b.user_id and t.kind = 'rank-lost'
      and t.sent_on = ($3::timestamptz at time zone coalesce(m.time_zone, 'UTC'))::date)
    order by b.user_id, b.by_user_id limit ${maxReminders}
  )
  select user_id, by_user_id, local_date as "on", rank::int from unsent`;

type Overtaken = { readonly userId: string; readonly byUserId: string; readonly on: string; readonly rank: number };

/** To be told to neighbours on the board of all miles who fell behind somebody; of people who hide themselves nothing (D18). */
export async function lostRanks(
  tx: Tx,
  { orgId, at }: { readonly orgId: string; readonly at: Date },
  gained: ReadonlyMap<string, number>,
): Promise<Reminder[]> {
  const rows = [...gained].map(([userId, centimiles]) => ({ user_id: userId, centimiles }));
  const overtaken = await tx.query<Overtaken>(overtakenSql, [orgId, JSON.stringify(rows), at]);
  return overtaken.rows.map(({ on, userId, byUserId, rank }) => {
    const event = rankLost({ userId, byUserId, rank, lostAt: at.toISOString() });
    return { kind: 'rank-lost', userId, on, event };
  });
}
