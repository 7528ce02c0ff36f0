import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { BoardWeeks } from '@caravan/contracts/http/scores';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject } from '@nestjs/common';
import { OrganisationWeek } from '../directory/index.ts';
import { boardWeeksOf } from './board-weeks.query.ts';

@Controller('api/leaderboard/weeks')
export class BoardWeeksController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<BoardWeeks> {
    return boardWeeksOf(this.pool, caller, await this.week.startOf(caller.orgId, caller.at));
  }
}
