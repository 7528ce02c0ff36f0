import type { Projection } from '@caravan/event-store/projection';
import type { LedgerEvent } from '../ledger-events.ts';

// At most two runs can touch a date: the one that starts the day after, and the last that starts on it or before.
// The earliest of what touches is stretched over all of it, the other goes; so cost does not grow with history.
const daySql = `
  with day as (
    insert into member_days as d (org_id, user_id, credited_on, entries) values ($1, $2, $3, 1)
    on conflict (org_id, user_id, credited_on) do update set entries = d.entries + 1
  ), near as (
    select started_on, ended_on from streak_runs
    where org_id = $1 and user_id = $2 and started_on <= $3::date + 1
    order by started_on desc limit 2
  ), merged as (
    select least(min(started_on), $3::date) as started_on, greatest(max(ended_on), $3::date) as ended_on
    from near where ended_on >= $3::date - 1
  ), absorbed as (
    delete from streak_runs r using merged m
    where r.org_id = $1 and r.user_id = $2 and r.started_on > m.started_on and r.started_on <= m.ended_on
  )
  insert into streak_runs (org_id, user_id, started_on, ended_on)
  select $1, $2, started_on, ended_on from merged
  on conflict (org_id, user_id, started_on) do update set ended_on = excluded.ended_on`;

/** On which local dates a member moved, and the unbroken runs of them (D11). */
export const streaksProjection: Projection<LedgerEvent> = {
  name: 'streaks',
  revision: 1,
  tables: ['member_days', 'streak_runs'],
  on: { MilesCredited: ({ orgId, data }) => [{ text: daySql, values: [orgId, data.userId, data.creditedOn] }] },
};
