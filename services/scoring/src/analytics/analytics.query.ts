import type { ComparedCell } from '@caravan/contracts/domain/movement/disclosure';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';
import { dateSql, daysBetweenMondays, type OrganisationDays } from '../directory/index.ts';
import { type Counted, firstWeekOf, type LogsInWeek, type Period } from './analytics.ts';
import { type Beginners, yearBefore } from './cohorts.ts';
import type { Team, TeamChange, TeamInWeek } from './teams.ts';

/** Effects are looked for in this many weeks, whichever period is asked for. */
const weeksOfEffects = 26;

/**
 * Everybody who ever was a member and the week in which they began: when they joined, or with their first log where that
 * is older. $1 is the organisation.
 */
const peopleSql = `
  select m.user_id,
    date_trunc('week', least(m.joined_on, d.first_on))::date as began_on
  from members m left join member_totals t on t.org_id = $1 and t.user_id = m.user_id
  left join lateral (
    -- Dates that only their owner may see tell of nobody when they began (D21).
    (select r.started_on as first_on from streak_runs r
      where r.org_id = $1 and r.user_id = m.user_id and t.owner_only_entries = 0 order by r.started_on limit 1)
    union all
    (select e.credited_on from ledger_entries e
      where e.org_id = $1 and e.user_id = m.user_id and t.owner_only_entries > 0 and not e.is_owner_only
        and e.movements > 0 order by e.credited_on limit 1)
  ) d on true
  where m.org_id = $1`;

/**
 * In which team people were when each week from $2 on began; with who began in a week from its start on, also before they
 * were in the organisation (`peopleSql`). $3 is the running Monday; $4 are Mondays from $2 to $3, $5 the instants at which
 * they begin.
 */
const placesSql = `
  people as (${peopleSql}), weeks as (
    select w::date as week, ($5::timestamptz[])[array_position($4::date[], w::date)] as starts_at
    from generate_series($2::date::timestamp, $3::date::timestamp - interval '7 days', interval '7 days') as w
  ), stays as (
    select s.user_id, s.team_id, s.until,
      case when s.since = min(s.since) over (partition by s.user_id)
        then least(s.since, w.starts_at, case when p.began_on < $2 then '-infinity'::timestamptz end)
        else s.since end as since
    from team_memberships s join people p on p.user_id = s.user_id left join weeks w on w.week = p.began_on
    where s.org_id = $1
  ), places as materialized (
    select w.week, s.user_id, s.team_id from weeks w
    join stays s on s.since <= w.starts_at and (s.until is null or s.until > w.starts_at)
  )`;

const teamWeeksSql = `
  with ${placesSql}
  select p.week::text as week, p.team_id, count(*)::int as members, count(mw.user_id)::int as moved
  from places p
  left join member_weeks mw
    on mw.org_id = $1 and mw.week_starts_on = p.week and mw.user_id = p.user_id and mw.centimiles > 0
  group by 1, 2`;

const changesSql = `
  with ${placesSql}
  select distinct coalesce(n.week, b.week + 7)::text as week, b.team_id as "from", n.team_id as "to"
  from places n full join places b on b.user_id = n.user_id and b.week = n.week - 7
  where n.team_id is distinct from b.team_id and coalesce(n.week, b.week + 7) < $3
    and coalesce(n.week, b.week + 7) > $2`;

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

// Private logs, such as imports from Strava, count in no figure (D21). $2 and $3 are the instants at which the weeks begin
// and end, $4 their days, $5 the instants at which the days begin.
const logsSql = `
  with moved as (
    select date_trunc('week', day)::date as week, day, activity, user_id from (
      select ${dateSql('ended_at', { dates: '$4', starts: '$5' })} as day, activity_key as activity, user_id
      from credited_movements
      where org_id = $1 and audience = 'organisation' and ended_at >= $2 and ended_at < $3
    ) m
  )
  select week::text, day::text, activity, count(*)::int as logs, count(distinct user_id)::int as people
  from moved group by grouping sets ((week, day), (week, activity), (week))`;

const teamsSql = `
  select t.team_id, t.name, t.emoji, t.member_count as members, coalesce((
    select sum(w.centimiles) from team_weeks w
    where w.org_id = $1 and w.team_id = t.team_id and w.week_starts_on >= $2 and w.week_starts_on < $3
  ), 0)::float8 as centimiles
  from teams t where t.org_id = $1 order by t.formed_position`;

// $2 is the running Monday; $3 are Mondays until then, $4 the instants at which they begin.
const challengesSql = `
  with moved as (
    select user_id, week_starts_on from member_weeks
    where org_id = $1 and week_starts_on >= $2::date - ${7 * weeksOfEffects} and week_starts_on < $2 and centimiles > 0
  ), completed as (
    select user_id, week_starts_on from weekly_claims
    where org_id = $1 and is_claimed and week_starts_on >= $2::date - ${7 * weeksOfEffects} and week_starts_on < $2
    union
    select user_id, ${dateSql('completed_at', { dates: '$3', starts: '$4' })} from bonus_completions where org_id = $1
  )
  select c.user_id is not null as is_in_group, n.user_id is not null as is_again, count(*)::int as times,
    count(distinct m.user_id)::int as people
  from moved m
  left join completed c on c.user_id = m.user_id and c.week_starts_on = m.week_starts_on
  left join moved n on n.user_id = m.user_id and n.week_starts_on = m.week_starts_on + 7
  where m.week_starts_on < $2::date - 7
  group by 1, 2`;

export const statements = { teamWeeksSql, changesSql, beginnersSql, logsSql, teamsSql, challengesSql };

const valuesOf = ({ dates, starts }: OrganisationDays) => [dates, starts];

/** Counts of everybody, as yet with those that nobody may see. */
export async function countedOf(tx: Tx, orgId: string, period: Period, zones: ZoneHistory): Promise<Counted> {
  const first = firstWeekOf(period);
  const { monday } = period;
  const weeks = valuesOf(daysBetweenMondays(zones, { from: first, until: monday, everyDays: 7 }));
  const days = daysBetweenMondays(zones, { from: first, until: monday, everyDays: 1 });
  const firstOfEffects = addDays(monday, -7 * weeksOfEffects);
  const weeksOfEffect = valuesOf(daysBetweenMondays(zones, { from: firstOfEffects, until: monday, everyDays: 7 }));
  const [teamWeeks, changes, beginners, logs, teams, challenges] = await Promise.all([
    tx.query<TeamInWeek>(teamWeeksSql, [orgId, first, monday, ...weeks]),
    tx.query<TeamChange>(changesSql, [orgId, first, monday, ...weeks]),
    tx.query<Beginners>(beginnersSql, [orgId, monday, yearBefore(monday)]),
    tx.query<LogsInWeek>(logsSql, [orgId, days.starts[0], days.starts.at(-1), ...valuesOf(days)]),
    tx.query<Team>(teamsSql, [orgId, first, monday]),
    tx.query<ComparedCell>(challengesSql, [orgId, monday, ...weeksOfEffect]),
  ]);
  return {
    teamWeeks: teamWeeks.rows,
    changes: changes.rows,
    beginners: beginners.rows,
    logs: logs.rows,
    teams: teams.rows,
    challenges: challenges.rows,
  };
}
