import { mendedText } from '@caravan/contracts/domain/text/text';
import type { Purpose } from './run.ts';

/** What the address asks of the timer (2.64). */
export type TimerSearch = {
  preset?: string;
  /** Minutes. */
  duration?: string;
  activity?: string;
  bonusChallenge?: string;
};

const longestActivityName = 60;

/**
 * What to start at once: `preset=true` with a duration and an activity (2.66). Null for anything else, `preset=quick`
 * among it: that opens an idle timer (D44).
 */
export function presetOf({ preset, duration, activity, bonusChallenge }: TimerSearch): Purpose | null {
  const minutes = Number(duration);
  const isDuration = Number.isInteger(minutes) && minutes > 0 && minutes <= 1440;
  const name = mendedText(activity ?? '', { maxCharacters: longestActivityName });
  if (preset !== 'true' || !isDuration || name === '') return null;
  return {
    activity: name,
    targetMinutes: minutes,
    bonus: bonusChallenge ? { challengeId: bonusChallenge, activity: name } : null,
  };
}

/** The link asks for what is under way already, as after a reload. */
export const isSamePurpose = (one: Purpose, other: Purpose): boolean =>
  one.activity === other.activity && one.bonus?.challengeId === other.bonus?.challengeId;
