import { freezesOn, type StreakState, streakOn } from '@caravan/contracts/streak';

/** What is kept of a member's streak (D11). */
export type StreakRow = {
  readonly runStartedOn: string | null;
  readonly runEndedOn: string | null;
  readonly streakDays: number | null;
  readonly streakFreezes: number | null;
  /** Whether the organisation lets freezes hold streaks. */
  readonly hasFreezes: boolean;
};

/** The columns of a streak, as SQL; `s` is the member's row of member_scores, $1 the organisation. */
export const streakColumns = `s.run_started_on as "runStartedOn", s.run_ended_on as "runEndedOn",
    s.streak_days as "streakDays", s.streak_freezes as "streakFreezes",
    coalesce((select r.has_freezes from streak_rules r where r.org_id = $1), true) as "hasFreezes"`;

/**
 * A streak is a matter of the member's own date and of the organisation's rule, so it is told at the moment of reading.
 * `freezes` are those saved up; null where the organisation does without.
 */
export function streakOf(
  { runStartedOn, runEndedOn, streakDays: days, streakFreezes, hasFreezes }: StreakRow,
  today: string,
): { days: number; state: StreakState; freezes: number | null } {
  const run = runStartedOn !== null && runEndedOn !== null ? { startedOn: runStartedOn, endedOn: runEndedOn } : null;
  if (!hasFreezes) return { ...streakOn(run, today), freezes: null };
  const standing = days !== null && streakFreezes !== null ? { days, freezes: streakFreezes } : undefined;
  return { ...streakOn(run, today, standing), freezes: freezesOn(run, today, standing) };
}
