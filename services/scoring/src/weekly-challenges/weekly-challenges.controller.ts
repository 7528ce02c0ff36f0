import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { idParams, ValidParams } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ClaimsService } from './claims.service.ts';
import { WeeksService } from './weeks.service.ts';

@Controller('api/weekly-challenges')
export class WeeklyChallengesController {
  constructor(
    @Inject(WeeksService) private readonly weeks: WeeksService,
    @Inject(ClaimsService) private readonly claims: ClaimsService,
  ) {}

  @Get()
  list(@CurrentCaller() { orgId, at }: Caller): Promise<WeeklyChallenge[]> {
    return this.weeks.running(orgId, at);
  }

  @Get(':id/progress')
  progress(@CurrentCaller() caller: Caller, @ValidParams(idParams) { id }: { id: string }): Promise<ChallengeProgress> {
    return this.weeks.progress(caller, id);
  }

  @Post(':id/complete')
  @HttpCode(200)
  async complete(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: { id: string },
  ): Promise<{ completed: boolean }> {
    // Whoever claims on a Monday morning before the schedule has come by.
    await this.weeks.openRunning(caller.orgId, caller.at);
    return { completed: await this.claims.complete(caller, id) };
  }
}
