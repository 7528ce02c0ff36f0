import { addDays, daysBetween } from './local-days.ts';

/** Consecutive local dates, both ends included, on each of which something was credited. */
export type StreakRun = { startedOn: string; endedOn: string };

/** lit: moved today; at-risk: moved yesterday, not yet today; out: no streak (D11). */
export type StreakState = 'lit' | 'at-risk' | 'out';

/**
 * Length in days and state of a member's streak on a given local date, from the member's latest run (D11).
 * A run counts while it ends today or yesterday. One that ends later than today (a traveller who went west) is lit.
 */
export function streakOn(latestRun: StreakRun | null, today: string): { days: number; state: StreakState } {
  if (!latestRun || latestRun.endedOn < addDays(today, -1)) return { days: 0, state: 'out' };
  const days = daysBetween(latestRun.startedOn, latestRun.endedOn) + 1;
  return { days, state: latestRun.endedOn >= today ? 'lit' : 'at-risk' };
}
