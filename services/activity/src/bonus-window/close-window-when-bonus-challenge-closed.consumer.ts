import { bonusChallengeClosed } from '@caravan/contracts/scoring.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Controller } from '@nestjs/common';

@Controller()
export class CloseWindowWhenBonusChallengeClosed {
  @Consumes({ group: 'activity.bonus-window', from: 'scoring', contract: bonusChallengeClosed })
  async close({ orgId, data }: Consumed<typeof bonusChallengeClosed>, { tx }: BatchContext): Promise<void> {
    await tx.query('update bonus_windows set closed_at = $3 where org_id = $1 and challenge_id = $2', [
      orgId,
      data.challengeId,
      data.closedAt,
    ]);
  }
}
