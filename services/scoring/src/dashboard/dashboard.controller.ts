import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Controller, Get, Inject, type OnModuleInit } from '@nestjs/common';
import { DashboardService } from './dashboard.service.ts';
import { dashboardOf } from './dashboard.ts';

@Controller('api/dashboard')
export class DashboardController implements OnModuleInit {
  constructor(
    @Inject(DashboardService) private readonly dashboard: DashboardService,
    @Inject(Live) private readonly live: Live,
  ) {}

  onModuleInit(): void {
    this.live.compose('stats', (asked) => this.liveStats(asked));
  }

  @Get('stats')
  async stats(@CurrentCaller() caller: Caller): Promise<DashboardStats> {
    return dashboardOf(await this.dashboard.read(caller));
  }

  private async liveStats({ orgId, at, isForAll, wanted, ...asked }: Asked): Promise<Composed<'stats'>> {
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
