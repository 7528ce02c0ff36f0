import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { trackActivityRequestSchema } from '@caravan/contracts/http/movement';
import type { FrequentActivity } from '@caravan/contracts/http/movement';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { FrequentActivities } from './frequent-activities.store.ts';

@Controller('api/user-activities')
export class FrequentActivitiesController {
  constructor(@Inject(FrequentActivities) private readonly activities: FrequentActivities) {}

  @Get('frequent')
  frequent(@CurrentCaller() caller: Caller): Promise<FrequentActivity[]> {
    return this.activities.of(caller);
  }

  @Post('track')
  @HttpCode(200)
  track(
    @CurrentCaller() caller: Caller,
    @ValidBody(trackActivityRequestSchema) { activityName }: { activityName: string },
  ): Promise<FrequentActivity> {
    return this.activities.track(caller, activityName);
  }
}
