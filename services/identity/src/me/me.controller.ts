import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { OpenToGuests } from '@caravan/auth/access.decorator';
import type { ActivityLevel } from '@caravan/contracts/fields';
import { activityLevelRequestSchema, type Me } from '@caravan/contracts/http/accounts';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Patch } from '@nestjs/common';
import { chooseActivityLevel, me } from './me.query.ts';

@Controller('api/me')
@OpenToGuests()
export class MeController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Get()
  me(@CurrentCaller() caller: Caller): Promise<Me> {
    return me(this.pool, caller);
  }

  @Patch('activity-level')
  async chooseActivityLevel(
    @ValidBody(activityLevelRequestSchema) { activityLevel }: { activityLevel: ActivityLevel },
    @CurrentCaller() caller: Caller,
  ): Promise<{ activityLevel: ActivityLevel }> {
    await chooseActivityLevel(this.pool, caller, activityLevel);
    this.live.publish(caller.orgId, ['me'], { to: caller.userId });
    return { activityLevel };
  }
}
