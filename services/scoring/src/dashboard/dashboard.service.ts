import type { Caller } from '@caravan/auth/claims';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import {
  boardReaders,
  PlacesQuery,
  isCurrentReading,
  freshnessColumns,
  teamStandingsSql,
} from '../leaderboards/index.ts';
import type { Freshness } from '../leaderboards/index.ts';
import { isMovementShownSql, isNamedSql, profileIdSql, shownNameSql, OrganisationWeek } from '../directory/index.ts';
import type { Dashboard, RecentMovement, TeamWeek } from './dashboard.ts';

const mostRecent = 3;

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

type Row = Freshness & { weekCentimiles: number; recent: RecentMovement[]; teams: TeamWeek[] };

@Injectable()
export class DashboardQuery {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PlacesQuery) private readonly boards: PlacesQuery,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  async read({ orgId, userId, at }: Pick<Caller, 'orgId' | 'userId' | 'at'>): Promise<Dashboard & Freshness> {
    const weekStartsOn = await this.week.startOf(orgId, at);
    const { board, rows } = await this.boards.readBeside(
      { orgId, userId, weekStartsOn: null },
      { top: 0, neighbours: 0 },
      async () => {
        const answer = await tenantQuery<Row>(this.pool, orgId, statsSql, [orgId, userId, weekStartsOn]);
        const [row] = answer.rows;
        if (!row) throw new Error('A select without a table has one row');
        return row;
      },
    );
    return { ...rows, at, rank: board.around.entries.length > 0 ? board.around.firstRank : null };
  }
  /** As a stranger sees it, and each reader's own; who sees more of themselves, or is ahead of Redis, asks. */
  async readFor({ orgId, at, readers }: { orgId: string; at: Date; readers: readonly string[] }) {
    const weekStartsOn = await this.week.startOf(orgId, at);
    const known = await boardReaders(this.pool, orgId, { readers, weekStartsOn });
    const which = { orgId, weekStartsOn: null };
    const readings = await this.boards.readingsOf(which, { readers: known, neighbours: 0 });
    const { generation, ...stranger } = await this.read({ orgId, userId: strangerId, at });
    const seeMore = await this.whoSeesMore(orgId, known, stranger.recent);
    const own = known.flatMap(({ userId, weekCentimiles }) => {
      if (seeMore.has(userId)) return [];
      const reading = readings.get(userId);
      if (!isCurrentReading(reading, generation)) return [];
      const { entries, firstRank } = reading.around;
      return [{ userId, weekCentimiles, rank: entries.length > 0 ? firstRank : null }];
    });
    const answered = new Set(own.map(({ userId }) => userId));
    const asks = (userId: string) => seeMore.has(userId) || readings.get(userId) !== 'behind';
    const ask = readers.filter((userId) => !answered.has(userId) && asks(userId));
    return { stranger, own, ask };
  }

  /** Those who have a movement of their own among the recent ones that nobody else is shown (D21). */
  private async whoSeesMore(orgId: string, readers: readonly { userId: string }[], recent: readonly RecentMovement[]) {
    const since = recent.length < mostRecent ? '-infinity' : recent.at(-1)?.endedAt;
    const { rows } = await tenantQuery<{ userId: string }>(
      this.pool,
      orgId,
      `select distinct user_id from credited_movements
       where org_id = $1 and user_id = any($2::uuid[]) and audience = 'owner' and ended_at >= $3`,
      [orgId, readers.map(({ userId }) => userId), since],
    );
    return new Set(rows.map(({ userId }) => userId));
  }
}
