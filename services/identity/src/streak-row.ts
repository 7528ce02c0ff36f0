import { type StreakState, streakOn } from '@caravan/contracts/streak';

/** What is kept of a member's streak (D11). */
export type StreakRow = {
  readonly runStartedOn: string | null;
  readonly runEndedOn: string | null;
  readonly streakDays: number | null;
  readonly streakFreezes: number | null;
};

/** The columns of a streak, as SQL; `s` is the member's row of member_scores. */
export const streakColumns = `s.run_started_on as "runStartedOn", s.run_ended_on as "runEndedOn",
    s.streak_days as "streakDays", s.streak_freezes as "streakFreezes"`;

/** A streak is a matter of the member's own date, so it is told at the moment of reading. */
export function streakOf(row: StreakRow, today: string): { days: number; state: StreakState } {
  const { runStartedOn, runEndedOn, streakDays: days, streakFreezes: freezes } = row;
  const run = runStartedOn !== null && runEndedOn !== null ? { startedOn: runStartedOn, endedOn: runEndedOn } : null;
  return streakOn(run, today, days !== null && freezes !== null ? { days, freezes } : undefined);
}
