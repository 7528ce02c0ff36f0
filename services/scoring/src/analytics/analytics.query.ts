import type { ComparedCell } from '@caravan/contracts/disclosure';
import type { Tx } from '@caravan/event-store/event-store';
import { type Counted, firstWeekOf, type LogsInWeek, type Period, type Team, type TeamInWeek } from './analytics.ts';
import { type Beginners, yearBefore } from './cohorts.ts';

/** Effects are looked for in this many weeks, whichever period is asked for. */
const weeksOfEffects = 26;

/**
 * Everybody who ever was a member and the week in which they began: when they joined, or with their first log where that
 * is older. $1 is the organisation.
 */
const peopleSql = `
  select m.user_id, m.team_id, m.is_active and not m.is_erased as is_member,
    date_trunc('week', least(m.joined_on, d.first_on))::date as began_on
  from members m left join lateral (
    select r.started_on as first_on from streak_runs r
    where r.org_id = $1 and r.user_id = m.user_id order by r.started_on limit 1
  ) d on true
  where m.org_id = $1`;

const teamWeeksSql = `
  with people as (${peopleSql})
  select w.week::date::text as week, p.team_id as "teamId", count(*)::int as members, count(mw.user_id)::int as moved
  from generate_series($2::date, $3::date - 7, interval '7 days') as w (week)
  join people p on p.is_member and p.began_on <= w.week::date
  left join member_weeks mw
    on mw.org_id = $1 and mw.week_starts_on = w.week::date and mw.user_id = p.user_id and mw.centimiles > 0
  group by 1, 2`;

// Who has left or was erased since is counted among those who began. All that moved within a year, by week of beginning.
const beginnersSql = `
  with people as (${peopleSql}), moved as materialized (
    select user_id, week_starts_on from member_weeks
    where org_id = $1 and week_starts_on >= $3 and week_starts_on < $2 and centimiles > 0
  ), stayed as (
    select p.began_on, m.week_starts_on, count(*)::int as people
    from people p join moved m on m.user_id = p.user_id
    where m.week_starts_on > p.began_on group by 1, 2
  )
  select began_on::text as week, count(*)::int as people, coalesce((
    select jsonb_object_agg(s.week_starts_on, s.people) from stayed s where s.began_on = p.began_on
  ), '{}') as moved
  from people p where began_on is not null group by 1, p.began_on`;

// What members keep for themselves, such as imports from Strava, is in no figure (D21).
const logsSql = `
  with moved as (
    select date_trunc('week', ended_at at time zone $4)::date as week, (ended_at at time zone $4)::date as day,
      activity_key as activity, user_id
    from credited_movements
    where org_id = $1 and audience = 'organisation' and ended_at >= ($2::date::timestamp at time zone $4)
      and ended_at < ($3::date::timestamp at time zone $4)
  )
  select week::text, day::text, activity, count(*)::int as logs, count(distinct user_id)::int as people
  from moved group by grouping sets ((week, day), (week, activity), (week))`;

const teamsSql = `
  select t.team_id as "teamId", t.name, t.emoji, t.member_count as members, coalesce((
    select sum(w.centimiles) from team_weeks w
    where w.org_id = $1 and w.team_id = t.team_id and w.week_starts_on >= $2 and w.week_starts_on < $3
  ), 0)::float8 as centimiles
  from teams t where t.org_id = $1 and not t.is_retired order by t.formed_position`;

const challengesSql = `
  with moved as (
    select user_id, week_starts_on from member_weeks
    where org_id = $1 and week_starts_on >= $2::date - ${7 * weeksOfEffects} and week_starts_on < $2 and centimiles > 0
  ), completed as (
    select user_id, week_starts_on from weekly_claims
    where org_id = $1 and is_claimed and week_starts_on >= $2::date - ${7 * weeksOfEffects} and week_starts_on < $2
    union
    select user_id, date_trunc('week', completed_at at time zone $3)::date from bonus_completions where org_id = $1
  )
  select c.user_id is not null as "isInGroup", n.user_id is not null as "isAgain", count(*)::int as times,
    count(distinct m.user_id)::int as people
  from moved m
  left join completed c on c.user_id = m.user_id and c.week_starts_on = m.week_starts_on
  left join moved n on n.user_id = m.user_id and n.week_starts_on = m.week_starts_on + 7
  where m.week_starts_on < $2::date - 7
  group by 1, 2`;

export const statements = { teamWeeksSql, beginnersSql, logsSql, teamsSql, challengesSql };

/** Counts of everybody, as yet with those that nobody may see. */
export async function countedOf(tx: Tx, orgId: string, period: Period, timeZone: string): Promise<Counted> {
  const [first, { monday }] = [firstWeekOf(period), period];
  const [teamWeeks, beginners, logs, teams, challenges] = await Promise.all([
    tx.query<TeamInWeek>(teamWeeksSql, [orgId, first, monday]),
    tx.query<Beginners>(beginnersSql, [orgId, monday, yearBefore(monday)]),
    tx.query<LogsInWeek>(logsSql, [orgId, first, monday, timeZone]),
    tx.query<Team>(teamsSql, [orgId, first, monday]),
    tx.query<ComparedCell>(challengesSql, [orgId, monday, timeZone]),
  ]);
  return {
    ...{ teamWeeks: teamWeeks.rows, beginners: beginners.rows, logs: logs.rows },
    ...{ teams: teams.rows, challenges: challenges.rows },
  };
}
