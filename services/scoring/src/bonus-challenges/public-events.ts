import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/scoring.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { BonusChallengeEvent } from './bonus-challenge.ts';
import { wordsOf } from './strategies.ts';

export type Outcome = { readonly completedCount: number };

export const bonusChallengePublicEvents: PublicEvents<BonusChallengeEvent, Outcome> = {
  BonusChallengeOpened: ({ data }): PublicEventOf<typeof facts.bonusChallengeOpened> => ({
    type: 'BonusChallengeOpened',
    version: 1,
    data: { ...data, ...wordsOf(data) },
  }),
  BonusChallengeClosed: ({ data }, { completedCount }): PublicEventOf<typeof facts.bonusChallengeClosed> => ({
    type: 'BonusChallengeClosed',
    version: 1,
    data: { ...data, completedCount },
  }),
};

export function bonusChallengeCompleted(
  { challengeId, userId, logId }: { readonly challengeId: string; readonly userId: string; readonly logId: string },
  at: Date,
): PublicEventOf<typeof facts.bonusChallengeCompleted> {
  const data = { challengeId, userId, logId, completedAt: at.toISOString() };
  return { type: 'BonusChallengeCompleted', version: 1, data };
}
