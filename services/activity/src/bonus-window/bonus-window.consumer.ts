import { bonusChallengeClosed, bonusChallengeOpened } from '@caravan/contracts/events/scoring.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller } from '@nestjs/common';

/** Which bonus challenge is open, as scoring tells it. */
@Controller()
export class BonusWindowConsumer {
  /** Logs that name it may earn its multiplier, without a question to another service (D15). */
  @Consumes({ group: 'activity.bonus-window', from: 'scoring', contract: bonusChallengeOpened, isAwaited: false })
  async openWindowWhenBonusChallengeOpened(
    { orgId, data }: Consumed<typeof bonusChallengeOpened>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query(
      `insert into bonus_windows (org_id, challenge_id, activity_type, target_duration_minutes, multiplier, opened_at,
         expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, challenge_id) do nothing`,
      [
        orgId,
        data.challengeId,
        data.activityType,
        data.targetDurationMinutes,
        data.multiplier,
        data.openedAt,
        data.expiresAt,
      ],
    );
  }

  @Consumes({ group: 'activity.bonus-window', from: 'scoring', contract: bonusChallengeClosed, isAwaited: false })
  async closeWindowWhenBonusChallengeClosed(
    { orgId, data }: Consumed<typeof bonusChallengeClosed>,
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query('update bonus_windows set closed_at = $3 where org_id = $1 and challenge_id = $2', [
      orgId,
      data.challengeId,
      data.closedAt,
    ]);
  }
}
