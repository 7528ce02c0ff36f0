/** The parts of a day, as pictures of logs show them. */
export type Hour = 'dawn' | 'day' | 'dusk' | 'night';

/** @param hour 0 to 23 */
export function hourOf(hour: number): Hour {
  if (hour < 5) return 'night';
  if (hour < 9) return 'dawn';
  if (hour < 17) return 'day';
  return hour < 21 ? 'dusk' : 'night';
}

const mostBars = 12;

/** One bar a mile, the last one shorter where the mile is not whole; never more than fit. */
export function mileBars(miles: number): { count: number; isLastPart: boolean } {
  if (!(miles > 0)) return { count: 0, isLastPart: false };
  const whole = Math.floor(miles + 0.001);
  const isLastPart = miles - whole > 0.001;
  const count = whole + (isLastPart ? 1 : 0);
  return count > mostBars ? { count: mostBars, isLastPart: false } : { count, isLastPart };
}
