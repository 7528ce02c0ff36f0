import type { bonusChallengeCompleted } from '@caravan/contracts/scoring.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { PersonUnit } from '@caravan/event-store/event-store';
import type { BatchContext } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Inject, Injectable } from '@nestjs/common';
import { BadgeAwards } from '../badges/index.ts';
import type { AfterCredit, LogNews } from '../ports.ts';

/** Who has completed which bonus challenge, as activity decided it (D15). */
@Injectable()
export class CompletionsService implements AfterCredit {
  constructor(
    @Inject(BadgeAwards) private readonly badges: BadgeAwards,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** An ordinary new log costs nothing. */
  async afterCredit({ is, log, isEntered }: LogNews, unit: PersonUnit, batch: BatchContext): Promise<void> {
    if (!isEntered) return;
    if (log.bonusChallengeId !== undefined) await this.note(unit, batch, log.logId, log.bonusChallengeId);
    else if (is !== 'logged') await this.giveBack(unit, batch, log.logId);
  }

  /** A log earned the multiplier. Hearing it again changes nothing. */
  private async note(unit: PersonUnit, batch: BatchContext, logId: string, challengeId: string): Promise<void> {
    const { orgId, key, at } = unit.meta;
    const userId = key.id;
    const { rowCount } = await unit.tx.query(
      `insert into bonus_completions (org_id, challenge_id, user_id, log_id, completed_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [orgId, challengeId, userId, logId, at],
    );
    if (rowCount === 0) return;
    const completedAt = at.toISOString();
    const fact: PublicEventOf<typeof bonusChallengeCompleted> = {
      ...{ type: 'BonusChallengeCompleted', version: 1 },
      data: { challengeId, userId, logId, completedAt },
    };
    await unit.publish(fact);
    const badges = await this.badges.award(unit, [{ badgeId: 'first-bonus-challenge', earnedAt: completedAt }]);
    if (badges.length > 0) batch.afterCommit(() => this.badges.announce(orgId, userId));
    batch.afterCommit(() => this.live.publish(orgId, ['challenges'], { to: userId }));
  }

  /** A corrected log that does not fit any more, or a removed one, gives the completion back. */
  private async giveBack(unit: PersonUnit, batch: BatchContext, logId: string): Promise<void> {
    const { orgId, key } = unit.meta;
    const userId = key.id;
    const { rowCount } = await unit.tx.query('delete from bonus_completions where org_id = $1 and log_id = $2', [
      orgId,
      logId,
    ]);
    if ((rowCount ?? 0) > 0) batch.afterCommit(() => this.live.publish(orgId, ['challenges'], { to: userId }));
  }
}
