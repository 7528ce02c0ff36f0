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
 * `preset=true` with a duration and an activity starts at once with that activity (2.66); anything else, `preset=quick`
 * among it, opens an idle timer (D44).
 */
export function presetOf({ preset, duration, activity, bonusChallenge }: TimerSearch): {
  startsAtOnce: boolean;
  activity: string | undefined;
  targetMinutes: number | undefined;
  bonusChallengeId: string | undefined;
} {
  const minutes = Number(duration);
  const targetMinutes = Number.isInteger(minutes) && minutes > 0 && minutes <= 1440 ? minutes : undefined;
  const name = activity?.trim().slice(0, longestActivityName);
  const startsAtOnce = preset === 'true' && targetMinutes !== undefined && Boolean(name);
  return {
    startsAtOnce,
    activity: startsAtOnce ? name : undefined,
    targetMinutes: startsAtOnce ? targetMinutes : undefined,
    bonusChallengeId: startsAtOnce ? bonusChallenge : undefined,
  };
}
