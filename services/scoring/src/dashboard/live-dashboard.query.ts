import { strangerId } from '@caravan/contracts/unnamed';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { milesOf } from '@caravan/contracts/miles';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { boardReaders } from '../boards/board-readers.query.ts';
import { BoardQuery } from '../boards/board.query.ts';
import { OrganisationWeek } from '../organisation-week.query.ts';
import { DashboardQuery } from './dashboard.query.ts';
import { dashboardOf } from './dashboard.ts';

/** Composes for open dashboards what `GET /api/dashboard/stats` would answer each of them now (ADR 0036). */
@Injectable()
export class LiveDashboard implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DashboardQuery) private readonly dashboard: DashboardQuery,
    @Inject(BoardQuery) private readonly boards: BoardQuery,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  onModuleInit(): void {
    this.live.compose('stats', (asked) => this.stats(asked));
  }

  private async stats({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'stats'>> {
    const weekStartsOn = await this.week.startOf(orgId, at);
    const asking = isForAll ? readers : [...wanted];
    const { plain, ask } = await boardReaders(this.pool, orgId, { readers: asking, weekStartsOn });
    const readings = await this.boards.readingsOf({ orgId, weekStartsOn: null }, { readers: plain, neighbours: 0 });
    const { generation, ...stranger } = await this.dashboard.read({ orgId, userId: strangerId, at });
    const { recentActivities, teamProgress } = dashboardOf(stranger);
    const placeOf = (userId: string) => {
      const reading = readings.get(userId);
      return reading?.generation === generation ? reading.around : undefined;
    };
    return {
      all: { recentActivities, teamProgress },
      some: plain.flatMap(({ userId, weekCentimiles }) => {
        const place = placeOf(userId);
        if (!place) return [];
        const userRank = place.entries.length > 0 ? place.firstRank : null;
        return [{ to: [userId], data: { userRank, weeklyMiles: milesOf(weekCentimiles) } }];
      }),
      ask: [...ask, ...plain.flatMap(({ userId }) => (placeOf(userId) ? [] : [userId]))],
    };
  }
}
