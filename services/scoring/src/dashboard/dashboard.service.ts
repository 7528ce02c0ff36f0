import type { Caller } from '@caravan/auth/claims';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { OrganisationWeek } from '../directory/index.ts';
import { boardReaders, type Freshness, isCurrentReading, PlacesService } from '../leaderboards/index.ts';
import { membersWithOwnMovements, mostRecent, readStats } from './dashboard.query.ts';
import type { Dashboard } from './dashboard.ts';

@Injectable()
export class DashboardService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PlacesService) private readonly boards: PlacesService,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  async read({ orgId, userId, at }: Pick<Caller, 'orgId' | 'userId' | 'at'>): Promise<Dashboard & Freshness> {
    const weekStartsOn = await this.week.startOf(orgId, at);
    const { board, rows } = await this.boards.readBeside(
      { orgId, userId, weekStartsOn: null },
      { top: 0, neighbours: 0 },
      () => readStats(this.pool, { orgId, userId }, weekStartsOn),
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
    const ids = known.map(({ userId }) => userId);
    const since = stranger.recent.length < mostRecent ? '-infinity' : stranger.recent.at(-1)?.endedAt;
    const seeMore = new Set(await membersWithOwnMovements(this.pool, orgId, { userIds: ids, since }));
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
}
