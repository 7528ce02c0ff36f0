import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/scoring.events';
import type { Challenge } from './progress.query.ts';

export function weeklyChallengeCompleted(
  { challengeId, name, challengeType, bonusCentimiles, weekStartsOn }: Challenge,
  { userId, teamId, isOwnerOnly, at }: { userId: string; teamId: string; isOwnerOnly: boolean; at: Date },
): PublicEventOf<typeof facts.weeklyChallengeCompleted> {
  return {
    type: 'WeeklyChallengeCompleted',
    version: 1,
    data: {
      challengeId,
      userId,
      teamId,
      name,
      challengeType,
      bonusCentimiles,
      weekStartsOn,
      completedAt: at.toISOString(),
      ...(isOwnerOnly && { isOwnerOnly }),
    },
  };
}
