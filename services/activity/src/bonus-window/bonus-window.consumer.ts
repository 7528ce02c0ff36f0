import { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';
import { closeBonusWindow, storeBonusWindow } from './bonus-window.store.ts';

/** Keeps the windows of scoring's bonus challenges. */
@Controller()
export class BonusWindowConsumer {
  /** Logs that name it may earn its multiplier, without a question to another service (D15). */
  @Consumes({
    group: 'activity.project-bonus-windows',
    from: 'scoring',
    contract: bonusChallengeOpened,
    isAwaited: false,
  })
  openWindowWhenBonusChallengeOpened(
    { orgId, data }: Consumed<typeof bonusChallengeOpened>,
    { tx }: BatchContext,
  ): Promise<void> {
    return storeBonusWindow(tx, orgId, data);
  }

  @Consumes({
    group: 'activity.project-bonus-windows',
    from: 'scoring',
    contract: bonusChallengeClosed,
    isAwaited: false,
  })
  closeWindowWhenBonusChallengeClosed(
    { orgId, data }: Consumed<typeof bonusChallengeClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    return closeBonusWindow(tx, orgId, data);
  }
}
