import { milesOf } from '@caravan/contracts/miles';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DashboardQuery } from './dashboard.query.ts';
import { dashboardOf } from './dashboard.ts';

/** Composes for open dashboards what `GET /api/dashboard/stats` would answer each of them now (ADR 0036). */
@Injectable()
export class LiveDashboard implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(DashboardQuery) private readonly dashboard: DashboardQuery,
  ) {}

  onModuleInit(): void {
    this.live.compose('stats', (asked) => this.stats(asked));
  }

  private async stats({ orgId, at, isForAll, wanted, ...asked }: Asked): Promise<Composed<'stats'>> {
    const readers = isForAll ? asked.readers : [...wanted];
    const { stranger, own, ask } = await this.dashboard.readFor({ orgId, at, readers });
    const { recentActivities, teamProgress } = dashboardOf(stranger);
    return {
      all: { recentActivities, teamProgress },
      some: own.map(({ userId, rank, weekCentimiles }) => {
        return { to: [userId], data: { userRank: rank, weeklyMiles: milesOf(weekCentimiles) } };
      }),
      ask,
    };
  }
}
