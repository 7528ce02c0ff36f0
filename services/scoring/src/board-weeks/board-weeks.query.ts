import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { type BoardWeeks, boardWeeksCount } from '@caravan/contracts/http/scores';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { listedTeams, teamStandingsSql } from '../leaderboards/index.ts';

// $2 is the member, $3 the running Monday, $4 the first one. Miles of teams include credits not in the sums yet.
const weeksSql = `
  with ${teamStandingsSql}, listed as (
    select team_id, name, emoji, row_number() over (order by centimiles desc, reached_at, formed_position) as place
    from standings
  ), brought as (
    select team_id, week_starts_on, sum(centimiles)::float8 as centimiles from (
      select team_id, week_starts_on, centimiles from team_weeks where org_id = $1 and week_starts_on between $4 and $3
      union all
      select team_id, week_starts_on, centimiles from pending_team_credits_of($1) where week_starts_on between $4 and $3
    ) c group by team_id, week_starts_on
  )
  select
    (select coalesce(json_agg(json_build_object('weekStartsOn', week_starts_on, 'rank', rank, 'centimiles', centimiles)
       order by week_starts_on), '[]')
     from member_ranks where org_id = $1 and user_id = $2 and week_starts_on between $4 and $3) as ranks,
    (select coalesce(json_agg(json_build_object('id', l.team_id, 'name', l.name, 'emoji', l.emoji, 'weeks',
         (select coalesce(json_object_agg(b.week_starts_on, b.centimiles), '{}') from brought b where b.team_id = l.team_id)
       ) order by l.place), '[]')
     from listed l where l.place <= ${listedTeams}
       or l.team_id = (select team_id from members where org_id = $1 and user_id = $2)) as teams`;

type Row = {
  ranks: { weekStartsOn: string; rank: number; centimiles: number }[];
  teams: { id: string; name: string; emoji: string; weeks: Record<string, number> }[];
};

/** Own ranks alone (D18); sums of teams are every member's to see. @param runningWeek its Monday */
export async function boardWeeksOf(
  pool: Pool,
  { orgId, userId }: { orgId: string; userId: string },
  runningWeek: string,
): Promise<BoardWeeks> {
  const weeks = Array.from({ length: boardWeeksCount }, (_, nth) =>
    addDays(runningWeek, 7 * (nth + 1 - boardWeeksCount)),
  );
  const values = [orgId, userId, runningWeek, weeks[0]];
  const { rows } = await tenantQuery<Row>(pool, orgId, weeksSql, values);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  return {
    weeks,
    ranks: row.ranks.map(({ weekStartsOn, rank, centimiles }) => ({ weekStartsOn, rank, miles: milesOf(centimiles) })),
    teams: row.teams.map(({ id, name, emoji, weeks: miles }) => ({
      id,
      name,
      emoji,
      miles: weeks.map((week) => milesOf(miles[week] ?? 0)),
    })),
  };
}
