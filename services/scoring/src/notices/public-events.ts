import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/scoring.events';

export const streakAtRisk = (
  data: PublicEventOf<typeof facts.streakAtRisk>['data'],
): PublicEventOf<typeof facts.streakAtRisk> => ({
  type: 'StreakAtRisk',
  version: 1,
  data,
});

export const weeklyGoalNear = (
  data: PublicEventOf<typeof facts.weeklyGoalNear>['data'],
): PublicEventOf<typeof facts.weeklyGoalNear> => ({ type: 'WeeklyGoalNear', version: 1, data });

export const challengeEndingToday = (
  data: PublicEventOf<typeof facts.challengeEndingToday>['data'],
): PublicEventOf<typeof facts.challengeEndingToday> => ({ type: 'ChallengeEndingToday', version: 1, data });

export const rankLost = (data: PublicEventOf<typeof facts.rankLost>['data']): PublicEventOf<typeof facts.rankLost> => ({
  type: 'RankLost',
  version: 1,
  data,
});

type Reached = {
  readonly challengeId: string;
  readonly name: string;
  readonly weekStartsOn: string;
  readonly bonusCentimiles: number;
};

export function weeklyChallengeReached(
  { challengeId, name, weekStartsOn, bonusCentimiles }: Reached,
  userId: string,
  at: Date,
): PublicEventOf<typeof facts.weeklyChallengeReached> {
  const data = { userId, challengeId, name, weekStartsOn, reachedAt: at.toISOString(), bonusCentimiles };
  return { type: 'WeeklyChallengeReached', version: 1, data };
}

export function weeklyChallengeUnreached(
  { challengeId, weekStartsOn }: Pick<Reached, 'challengeId' | 'weekStartsOn'>,
  userId: string,
  at: Date,
): PublicEventOf<typeof facts.weeklyChallengeUnreached> {
  const data = { userId, challengeId, weekStartsOn, at: at.toISOString() };
  return { type: 'WeeklyChallengeUnreached', version: 1, data };
}
