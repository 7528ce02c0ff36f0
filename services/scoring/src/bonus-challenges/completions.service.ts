import type { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import type { RowContext } from '@caravan/messaging/consumer/read-model';
import type { PersonUnit } from '@caravan/event-store/core/event-store';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Inject, Injectable } from '@nestjs/common';
import { BadgeAwards } from '../badges/index.ts';
import { shownOf, writeMovements } from '../ledger/index.ts';
import type { AfterCredit, LogNews } from '../ports.ts';
import { removeCompletion, storeCompletion } from './completions.store.ts';
import { bonusChallengeCompleted } from './public-events.ts';

/** Stores completed bonus challenges, as activity decided them (D15). */
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
    if (!(await storeCompletion(unit.tx, { orgId, challengeId, userId, logId, at }))) return;
    await unit.publish(bonusChallengeCompleted({ challengeId, userId, logId }, at));
    const earned = { badgeId: 'first-bonus-challenge', earnedAt: at.toISOString() };
    const badges = await this.badges.award(unit, [earned]);
    if (badges.length > 0) batch.afterCommit(() => this.badges.announce(orgId, userId));
    batch.afterCommit(() => this.live.publish(orgId, ['challenges'], { to: userId }));
  }

  /** A corrected log that does not fit any more, or a removed one, gives the completion back. */
  private async giveBack(unit: PersonUnit, batch: BatchContext, logId: string): Promise<void> {
    const { orgId, key } = unit.meta;
    const userId = key.id;
    if (await removeCompletion(unit.tx, orgId, logId))
      batch.afterCommit(() => this.live.publish(orgId, ['challenges'], { to: userId }));
  }
}

// What the consumers of logs write beside what they decide, for a rebuild, which decides nothing.

/** What a log leaves beside the ledger: the recent movement, and the bonus challenge that it completes. */
export async function showLogged(
  { orgId, key, occurredAt, data }: Consumed<typeof movementLogged>,
  context: RowContext,
) {
  context.enqueueWrite(writeMovements, shownOf(orgId, data, 1));
  await complete({ orgId, key, occurredAt, data }, context);
}

/** A correction shows the log as it is now; one that does not fit the challenge any more gives the completion back. */
export async function showCorrected(
  { orgId, key, occurredAt, data }: Consumed<typeof movementCorrected>,
  context: RowContext,
) {
  context.enqueueWrite(writeMovements, shownOf(orgId, data, data.revision));
  if (data.bonusChallengeId === undefined) await removeCompletion(context.tx, orgId, data.logId);
  else await complete({ orgId, key, occurredAt, data }, context);
}

async function complete(
  { orgId, key, occurredAt, data }: Pick<Consumed<typeof movementLogged>, 'orgId' | 'key' | 'occurredAt' | 'data'>,
  { tx }: RowContext,
): Promise<void> {
  const { bonusChallengeId: challengeId, logId } = data;
  if (challengeId === undefined) return;
  await storeCompletion(tx, { orgId, challengeId, userId: key, logId, at: new Date(occurredAt) });
}

/** Nothing of a log that was taken back is shown. */
export async function showRemoved({ orgId, data: { logId } }: Consumed<typeof movementRemoved>, context: RowContext) {
  context.enqueueWrite(writeMovements, { is: 'removed', orgId, logId });
  await removeCompletion(context.tx, orgId, logId);
}
