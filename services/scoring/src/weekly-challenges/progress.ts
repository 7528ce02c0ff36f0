import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { milesOf } from '@caravan/contracts/domain/movement/miles';

export type Target = Pick<WeeklyChallenge, 'targetValue' | 'targetUnit'>;

/** As the ledger has it; miles of bonuses for challenges do not count. */
export type WeekFigures = {
  readonly centimiles: number;
  /** Different days of each member, added up. */
  readonly days: number;
  readonly activities: number;
  readonly minutes: number;
};

export function progressOf({ targetUnit }: Target, figures: WeekFigures): number {
  return targetUnit === 'miles' ? milesOf(figures.centimiles) : figures[targetUnit];
}

export function isReached(target: Target, figures: WeekFigures): boolean {
  return progressOf(target, figures) >= target.targetValue;
}

export function progressAnswer(target: Target, figures: WeekFigures, bonusAwarded: boolean): ChallengeProgress {
  return { currentProgress: progressOf(target, figures), targetValue: target.targetValue, bonusAwarded };
}
