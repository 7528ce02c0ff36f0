import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { isMovementShownSql, isNamedSql, profileIdSql, shownNameSql } from '../directory/index.ts';
import { type Freshness, freshnessColumns, teamStandingsSql } from '../leaderboards/index.ts';
import type { RecentMovement, TeamWeek } from './dashboard.ts';

export const mostRecent = 3;

/** 'Recent Team Activity' shows three (9.6), 'Team Progress' ten teams at most. */
const statsSql = `
  with ${teamStandingsSql}
  select ${freshnessColumns},
    coalesce((select centimiles from member_weeks where org_id = $1 and user_id = $2 and week_starts_on = $3), 0) as week_centimiles,
    (select coalesce(json_agg(json_build_object('id', case when ${isNamedSql} then c.log_id end, 'teamEmoji', t.emoji,
        'userName', ${shownNameSql}, 'profileId', ${profileIdSql}, 'activityType', c.activity_type,
        'centimiles', c.centimiles, 'endedAt', c.ended_at) order by c.ended_at desc, c.log_id desc), '[]')
      from (
        select c.* from credited_movements c
        where c.org_id = $1 and ${isMovementShownSql} order by c.ended_at desc, c.log_id desc limit ${mostRecent}
      ) c
      -- Looked up one by one: a plan made for a small organisation would read all members of a large one.
      left join lateral (select * from members where org_id = c.org_id and user_id = c.user_id offset 0) m on true
      left join lateral (select emoji from teams where org_id = c.org_id and team_id = c.team_id offset 0) t on true
    ) as recent,
    (select coalesce(json_agg(json_build_object('id', team_id, 'name', name, 'emoji', emoji,
        'weekCentimiles', week_centimiles)), '[]') from (
      select team_id, name, emoji, week_centimiles from standings
      where not is_retired or week_centimiles > 0 order by week_centimiles desc, week_reached_at, formed_position limit 10
    ) w) as teams`;

type Stats = Freshness & { weekCentimiles: number; recent: RecentMovement[]; teams: TeamWeek[] };

export async function readStats(
  pool: Pool,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  weekStartsOn: string,
): Promise<Stats> {
  const { rows } = await tenantQuery<Stats>(pool, orgId, statsSql, [orgId, userId, weekStartsOn]);
  const [row] = rows;
  if (!row) throw new Error('A select without a table has one row');
  return row;
}

/** Members among these who have a movement since then that nobody else is shown (D21). */
export async function membersWithOwnMovements(
  pool: Pool,
  orgId: string,
  { userIds, since }: { readonly userIds: readonly string[]; readonly since: string | undefined },
): Promise<string[]> {
  const { rows } = await tenantQuery<{ userId: string }>(
    pool,
    orgId,
    `select distinct user_id from credited_movements
     where org_id = $1 and user_id = any($2::uuid[]) and audience = 'owner' and ended_at >= $3`,
    [orgId, userIds, since],
  );
  return rows.map(({ userId }) => userId);
}
