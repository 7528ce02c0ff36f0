import { addDays, daysBetween, weekStartOf } from '../time/local-days.ts';

/** Local dates, both included, on each of which something was credited. */
export type StreakRun = { startedOn: string; endedOn: string };

/** Active dates so far, and freezes still saved up (D11). */
export type StreakStanding = { days: number; freezes: number };

export type StreakStart = { startedOn: string; daysBefore: number; freezes: number };

/** lit: moved today; at-risk: moved yesterday; frozen: a freeze holds it; out: no streak (D11). */
export type StreakState = 'lit' | 'at-risk' | 'frozen' | 'out';

const firstFreezes = 1;
const mostFreezes = 2;

/** Missed days up to yesterday use freezes; without a standing there are none. A run beyond today (trip west) is lit (D11). */
export function streakOn(
  latestRun: StreakRun | null,
  today: string,
  standing?: StreakStanding,
): { days: number; state: StreakState } {
  if (!latestRun) return { days: 0, state: 'out' };
  const { startedOn, endedOn } = latestRun;
  const atEnd = standing ?? { days: daysBetween(startedOn, endedOn) + 1, freezes: 0 };
  if (endedOn >= today) return { days: atEnd.days, state: 'lit' };
  if (endedOn === addDays(today, -1)) return { days: atEnd.days, state: 'at-risk' };
  const { days } = standing
    ? afterMissed(atEnd, { startedOn: addDays(endedOn, 1), endedOn: addDays(today, -1) })
    : { days: 0 };
  return { days, state: days > 0 ? 'frozen' : 'out' };
}

/** What missed days up to yesterday took is gone, Mondays up to today are in; nobody begins without one (D11). */
export function freezesOn(latestRun: StreakRun | null, today: string, standing?: StreakStanding): number {
  if (!latestRun) return firstFreezes;
  if (!standing) return 0;
  if (latestRun.endedOn >= today) return standing.freezes;
  const missed = { startedOn: addDays(latestRun.endedOn, 1), endedOn: addDays(today, -1) };
  return withMondays(afterMissed(standing, missed).freezes, { startedOn: today, endedOn: today });
}

export function standingAt({ startedOn, daysBefore, freezes }: StreakStart, endedOn: string): StreakStanding {
  return {
    days: daysBefore + daysBetween(startedOn, endedOn) + 1,
    freezes: withMondays(freezes, { startedOn: addDays(startedOn, 1), endedOn }),
  };
}

export function streakStartOn(
  startedOn: string,
  before?: { readonly endedOn: string; readonly standing: StreakStanding },
): StreakStart {
  if (!before) return { startedOn, daysBefore: 0, freezes: firstFreezes };
  const missed = { startedOn: addDays(before.endedOn, 1), endedOn: addDays(startedOn, -1) };
  const { days, freezes } = afterMissed(before.standing, missed);
  return { startedOn, daysBefore: days, freezes: withMondays(freezes, { startedOn, endedOn: startedOn }) };
}

export function latestStartOf(runs: readonly StreakRun[]): StreakStart | null {
  let start: StreakStart | null = null;
  let endedOn = '';
  for (const run of runs) {
    start = streakStartOn(run.startedOn, start ? { endedOn, standing: standingAt(start, endedOn) } : undefined);
    ({ endedOn } = run);
  }
  return start;
}

/**
 * The missed dates that freezes held, so that the streak went on (D11). A gap that used up its freezes and ended the
 * streak has none.
 * @param runs oldest first
 * @param today dates from today on are not missed yet
 */
export function restDaysOf(runs: readonly StreakRun[], today: string): string[] {
  let start: StreakStart | null = null;
  return runs.flatMap(({ startedOn, endedOn }, nth) => {
    const { daysBefore } = (start = streakStartOn(startedOn, start ? before(start, runs[nth - 1]) : undefined));
    const held = daysBefore > 0 ? datesBetween(runs[nth - 1]?.endedOn ?? startedOn, startedOn) : [];
    const isLatest = nth === runs.length - 1;
    const standing = standingAt(start, endedOn);
    const isHeld = isLatest && streakOn({ startedOn, endedOn }, today, standing).state === 'frozen';
    return isHeld ? [...held, ...datesBetween(endedOn, today)] : held;
  });
}

function before(start: StreakStart, run: StreakRun | undefined) {
  return run && { endedOn: run.endedOn, standing: standingAt(start, run.endedOn) };
}

/** Both ends excluded. */
function datesBetween(one: string, other: string): string[] {
  return Array.from({ length: Math.max(0, daysBetween(one, other) - 1) }, (_, nth) => addDays(one, nth + 1));
}

/** The first missed date without a freeze ends the streak; then freezes only gather. */
function afterMissed({ days, freezes }: StreakStanding, missed: StreakRun): StreakStanding {
  let left = freezes;
  for (let day = missed.startedOn; day <= missed.endedOn; day = addDays(day, 1)) {
    left = withMondays(left, { startedOn: day, endedOn: day });
    if (left === 0)
      return { days: 0, freezes: withMondays(0, { startedOn: addDays(day, 1), endedOn: missed.endedOn }) };
    left -= 1;
  }
  return { days, freezes: left };
}

/** One more with every Monday, two at most. */
function withMondays(freezes: number, { startedOn, endedOn }: StreakRun): number {
  const mondays = daysBetween(weekStartOf(addDays(startedOn, -1)), weekStartOf(endedOn)) / 7;
  return Math.min(mostFreezes, freezes + Math.max(0, mondays));
}
