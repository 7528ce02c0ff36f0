import { badgeEarned, badgeWithdrawn, milesCredited, ownBadgeEarned } from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Controller, Inject } from '@nestjs/common';
import { storeBadges, storeScores } from './scores.store.ts';

type Credited = Consumed<typeof milesCredited>;
type Earned = Consumed<typeof badgeEarned>;
type OwnEarned = Consumed<typeof ownBadgeEarned>;
type Withdrawn = Consumed<typeof badgeWithdrawn>;

/** Miles, runs of active days and badges, as scoring tells them. */
@Controller()
export class ProjectScoresConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  /** Totals are absolute: twice changes nothing. */
  @Consumes({ group: 'identity.project-scores', from: 'scoring', contract: milesCredited, reflects: ['activity'] })
  keepScoresWhenMilesCredited(event: Credited, batch: BatchContext): void {
    batch.enqueueWrite(storeScores, event);
    batch.afterCommit(() => {
      this.live.publish(event.orgId, ['me'], { to: event.data.userId });
      // The list of members shows everybody's miles to admins.
      this.live.publish(event.orgId, ['members']);
    });
  }

  /** A badge is earned once: twice changes nothing (3.45). */
  @Consumes({ group: 'identity.project-scores', from: 'scoring', contract: badgeEarned, reflects: ['activity'] })
  keepBadgesWhenBadgeEarned(event: Earned, batch: BatchContext): void {
    batch.enqueueWrite(storeBadges, { is: 'shown', event });
    batch.afterCommit(() => this.live.publish(event.orgId, ['people']));
  }

  /** Only the member sees it (D13, D21). */
  @Consumes({ group: 'identity.project-scores', from: 'scoring', contract: ownBadgeEarned, reflects: ['activity'] })
  keepBadgeWhenOwnBadgeEarned(event: OwnEarned, batch: BatchContext): void {
    batch.enqueueWrite(storeBadges, { is: 'own', event });
    batch.afterCommit(() => this.live.publish(event.orgId, ['people'], { to: event.data.userId }));
  }

  @Consumes({ group: 'identity.project-scores', from: 'scoring', contract: badgeWithdrawn, reflects: ['activity'] })
  forgetBadgeWhenBadgeWithdrawn(event: Withdrawn, batch: BatchContext): void {
    batch.enqueueWrite(storeBadges, { is: 'gone', event });
    batch.afterCommit(() => this.live.publish(event.orgId, ['people'], { to: event.data.userId }));
  }
}
