import { streakFreezesSwitched } from '@caravan/contracts/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Jobs } from '@caravan/service-kit/jobs';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';
import { awardDueBadges } from '../award-due-badges.ts';

/** Streaks are told by the rule at the moment of reading: one row changes, no member's does (D11). Badges follow by a job. */
@Controller()
export class FollowRuleWhenStreakFreezesSwitched {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {}

  @Consumes({ group: 'scoring.know-members', from: 'identity', contract: streakFreezesSwitched })
  async follow({ orgId, data }: Consumed<typeof streakFreezesSwitched>, batch: BatchContext): Promise<void> {
    await batch.tx.query(
      `update organisations set has_streak_freezes = $2, badges_due_at = case when $2 then $3::timestamptz end
       where org_id = $1`,
      [orgId, data.areOn, data.switchedAt],
    );
    batch.afterCommit(async () => {
      this.live.publish(orgId, ['badges']);
      // At once; should this be lost, the job comes by every minute.
      if (data.areOn) await this.jobs.enqueue(awardDueBadges, {}, { key: `${orgId} ${data.switchedAt}` });
    });
  }
}
