import { bonusChallengeOpened } from '@caravan/contracts/scoring.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

/** From now on logs that name it may earn its multiplier, without a question to another service (D15). */
@Controller()
export class OpenWindowWhenBonusChallengeOpened {
  @Consumes({ group: 'activity.bonus-window', from: 'scoring', contract: bonusChallengeOpened })
  async open({ orgId, data }: Consumed<typeof bonusChallengeOpened>, { tx }: BatchContext): Promise<void> {
    await tx.query(
      `insert into bonus_windows (org_id, challenge_id, activity_type, target_duration_minutes, multiplier, opened_at,
         expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, challenge_id) do nothing`,
      [
        ...[orgId, data.challengeId, data.activityType, data.targetDurationMinutes],
        ...[data.multiplier, data.openedAt, data.expiresAt],
      ],
    );
  }
}
