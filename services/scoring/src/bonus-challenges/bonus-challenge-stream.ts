import type { StreamKind } from '@caravan/event-store/core/event-store';
import { bonusChallenge } from './bonus-challenge.ts';
import type { BonusChallenge, BonusChallengeCommand, BonusChallengeEvent } from './bonus-challenge.ts';
import { bonusChallengesProjection } from './bonus-challenges.projection.ts';
import { bonusChallengePublicEvents, type Outcome } from './public-events.ts';

export const bonusChallengeStream: StreamKind<BonusChallenge, BonusChallengeCommand, BonusChallengeEvent, Outcome> = {
  decider: bonusChallenge,
  projections: [bonusChallengesProjection],
  publicEvents: bonusChallengePublicEvents,
};
