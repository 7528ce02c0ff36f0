import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { Controller, Get, Inject } from '@nestjs/common';
import { DashboardQuery } from './dashboard.query.ts';
import { dashboardOf } from './dashboard.ts';

@Controller('api/dashboard')
export class DashboardController {
  constructor(@Inject(DashboardQuery) private readonly dashboard: DashboardQuery) {}

  @Get('stats')
  async stats(@CurrentCaller() caller: Caller): Promise<DashboardStats> {
    return dashboardOf(await this.dashboard.read(caller));
  }
}
