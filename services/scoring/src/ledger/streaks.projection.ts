import type { Projection } from '@caravan/event-store/projection';
import type { LedgerEvent } from './ledger.ts';

// At most two runs can touch a date: the earliest is stretched over all of it, the other goes; no history is read.
// A member's days are added one after the other. Most logs change no run.
const daySql = `
  with day as materialized (
    select * from json_to_recordset($1) as d (org_id uuid, user_id uuid, credited_on date)
  ), counted as (
    insert into member_days as d (org_id, user_id, credited_on, entries)
    select org_id, user_id, credited_on, 1 from day order by 1, 2
    on conflict (org_id, user_id, credited_on) do update set entries = d.entries + 1
  ), merged as materialized (
    select d.org_id, d.user_id, least(min(n.started_on), d.credited_on) as started_on,
      greatest(max(n.ended_on), d.credited_on) as ended_on
    from day d left join lateral (
      select r.started_on, r.ended_on from streak_runs r
      where r.org_id = d.org_id and r.user_id = d.user_id and r.started_on <= d.credited_on + 1
      order by r.started_on desc limit 2
    ) n on n.ended_on >= d.credited_on - 1
    group by d.org_id, d.user_id, d.credited_on
  ), absorbed as (
    delete from streak_runs r using merged m
    where r.org_id = m.org_id and r.user_id = m.user_id and r.started_on > m.started_on and r.started_on <= m.ended_on
  )
  insert into streak_runs as r (org_id, user_id, started_on, ended_on)
  select org_id, user_id, started_on, ended_on from merged order by 1, 2
  on conflict (org_id, user_id, started_on) do update set ended_on = excluded.ended_on
  where r.ended_on <> excluded.ended_on`;

const lostSql = `
  update member_days set entries = entries - 1 where org_id = $1 and user_id = $2 and credited_on = $3`;

// A date that lost its last movement is cut out: the part before keeps the row, the part after gets one.
const cutSql = `
  with gone as (
    delete from member_days where org_id = $1 and user_id = $2 and credited_on = $3 and entries <= 0 returning 1
  ), run as (
    select started_on, ended_on from streak_runs
    where org_id = $1 and user_id = $2 and started_on <= $3::date and exists (select from gone)
    order by started_on desc limit 1
  ), before as (
    update streak_runs r set ended_on = $3::date - 1 from run
    where r.org_id = $1 and r.user_id = $2 and r.started_on = run.started_on and run.started_on < $3::date
  ), emptied as (
    delete from streak_runs r using run
    where r.org_id = $1 and r.user_id = $2 and r.started_on = run.started_on and run.started_on = $3::date
  )
  insert into streak_runs (org_id, user_id, started_on, ended_on)
  select $1, $2, $3::date + 1, ended_on from run where ended_on > $3::date`;

const user = `(data->>'userId')::uuid`;
const day = `(data->>'creditedOn')::date`;
const movements = `coalesce((data->>'movements')::int, 1)`;
const moved = `(select distinct org_id, ${user} as user_id from stretch where ${movements} <> 0)`;

const daysInBulk: readonly string[] = [
  `insert into member_days as d (org_id, user_id, credited_on, entries)
   select org_id, ${user}, ${day}, sum(${movements}) from stretch where ${movements} <> 0 group by 1, 2, 3 order by 1, 2, 3
   on conflict (org_id, user_id, credited_on) do update set entries = d.entries + excluded.entries`,
  `delete from member_days d using stretch s
   where ${movements.replaceAll('data', 's.data')} < 0 and d.org_id = s.org_id
     and d.user_id = ${user.replace('data', 's.data')} and d.credited_on = ${day.replace('data', 's.data')} and d.entries <= 0`,
  `delete from streak_runs r using ${moved} m where r.org_id = m.org_id and r.user_id = m.user_id`,
  `insert into streak_runs (org_id, user_id, started_on, ended_on)
   select org_id, user_id, min(credited_on), max(credited_on) from (
     select d.org_id, d.user_id, d.credited_on,
       d.credited_on - row_number() over (partition by d.org_id, d.user_id order by d.credited_on)::int as island
     from member_days d join ${moved} m on m.org_id = d.org_id and m.user_id = d.user_id
   ) days group by org_id, user_id, island order by 1, 2, 3`,
];

export const streaksProjection: Projection<LedgerEvent> = {
  name: 'streaks',
  revision: 2,
  tables: ['member_days', 'streak_runs'],
  on: {
    MilesCredited: ({ orgId, data: { userId, creditedOn, movements = 1 } }) => {
      if (movements === 1)
        return [{ text: daySql, rows: [{ org_id: orgId, user_id: userId, credited_on: creditedOn }] }];
      if (movements === 0) return [];
      const values = [orgId, userId, creditedOn];
      return [
        { text: lostSql, values },
        { text: cutSql, values },
      ];
    },
  },
  inBulk: { MilesCredited: daysInBulk },
};
