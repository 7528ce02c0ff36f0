const minuteMilliseconds = 60_000;

/** Whole hours and minutes until then; null once it is past. @param now milliseconds since 1970 */
export function timeLeft(expiresAt: string, now: number): { hours: number; minutes: number } | null {
  const left = Date.parse(expiresAt) - now;
  if (!(left > 0)) return null;
  const minutes = Math.floor(left / minuteMilliseconds);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** 0 to 1 and beyond; a target of nothing is reached. */
export const shareOf = (currentProgress: number, targetValue: number): number =>
  targetValue > 0 ? currentProgress / targetValue : 1;
