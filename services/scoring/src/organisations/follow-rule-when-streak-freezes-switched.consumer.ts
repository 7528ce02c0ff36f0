import { streakFreezesSwitched } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

/** Streaks are told by the rule at the moment of reading: one row changes, no member's does (D11). */
@Controller()
export class FollowRuleWhenStreakFreezesSwitched {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: streakFreezesSwitched })
  async follow({ orgId, data }: Consumed<typeof streakFreezesSwitched>, batch: BatchContext): Promise<void> {
    await batch.tx.query('update organisations set has_streak_freezes = $2 where org_id = $1', [orgId, data.areOn]);
    batch.afterCommit(() => this.live.publish(orgId, ['badges']));
  }
}
