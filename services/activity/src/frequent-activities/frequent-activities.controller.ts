import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { trackActivityRequestSchema } from '@caravan/contracts/http/movement';
import type { FrequentActivity } from '@caravan/contracts/http/movement';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { frequentActivitiesOf } from './frequent-activities.query.ts';
import { countUse } from './frequent-activities.store.ts';

@Controller('api/user-activities')
export class FrequentActivitiesController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get('frequent')
  frequent(@CurrentCaller() caller: Caller): Promise<FrequentActivity[]> {
    return frequentActivitiesOf(this.pool, caller);
  }

  /** Throws `Rejected` unavailable while this service has not heard of the member. */
  @Post('track')
  @HttpCode(200)
  track(
    @CurrentCaller() { orgId, userId, at }: Caller,
    @ValidBody(trackActivityRequestSchema) { activityName }: { activityName: string },
  ): Promise<FrequentActivity> {
    return withTenant(this.pool, orgId, async (tx) => {
      const tracked = await countUse(tx, { orgId, userId, at, activityName });
      if (!tracked) throw notYet();
      return tracked;
    });
  }
}

function notYet(): Rejected {
  const message = 'Your membership is still being set up. Please try again.';
  return new Rejected('member/not-ready', 'unavailable', message, { retryAfterSeconds: 1 });
}
