import { personKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { checkpointReached } from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';

@Controller()
export class AwardCheckpointBadgesConsumer {
  constructor(@Inject(BadgeAwards) private readonly awards: BadgeAwards) {}

  /** Who has earned miles for a team gets the badges of where it arrives (D33). */
  @Consumes({
    group: 'scoring.award-checkpoint-badges',
    from: 'scoring',
    contract: checkpointReached,
    isAwaited: false,
    isPrompt: false,
  })
  awardBadgesWhenCheckpointReached(reached: Consumed<typeof checkpointReached>, batch: BatchContext): void {
    const { orgId, data } = reached;
    const earnedAt = new Date(data.reachedAt);
    const badgeIds = data.isLast ? ['first-checkpoint', 'first-route'] : ['first-checkpoint'];
    for (const userId of data.contributors) {
      const meta = { orgId, actorId: null, at: earnedAt, key: personKey(userId), causes: positionsOf(reached) };
      const journey = { journeyId: data.journeyId, teamId: data.teamId };
      for (const badgeId of badgeIds) this.awards.enqueueDeed({ meta, badgeId, earnedAt, journey }, batch);
    }
  }
}
