import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { type StreakRule, streakRuleSchema } from '@caravan/contracts/http/organisations';
import { EventStore, type IdempotentRequest } from '@caravan/event-store/event-store';
import { IdempotencyKey } from '@caravan/service-kit/idempotency.decorator';
import { Live } from '@caravan/service-kit/live';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Inject, Put } from '@nestjs/common';
import { inOrganisationOrder } from '../organisation-order.ts';
import { switchStreakFreezes } from './company.query.ts';

@AdminOnly()
@Controller('api/company/streaks')
export class StreaksController {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  @Put()
  async switchFreezes(
    @ValidBody(streakRuleSchema) { hasFreezes }: StreakRule,
    @CurrentCaller() { orgId, meta }: Caller,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<StreakRule> {
    const rule = await this.store.transaction(
      inOrganisationOrder(meta),
      (unit) => switchStreakFreezes(unit, hasFreezes),
      request,
    );
    this.live.publish(orgId, ['me', 'people']);
    return rule;
  }
}
