import { addDays } from '@caravan/contracts/local-days';
import { latestStartOf, standingAt, streakStartOn } from '@caravan/contracts/streak';
import type { StreakRun, StreakStart } from '@caravan/contracts/streak';
import { latestRunAfter } from './streaks/latest-run.ts';

/** A local date that gains or loses a movement. */
export type DayChange = { readonly on: string; readonly movements: 1 | -1 };

/** A member's latest run of days and how it began; null without any day. */
export type LatestRun = { readonly run: StreakRun; readonly start: StreakStart } | null;

/** What is known of a member's runs without reading all of them. */
export type KnownRuns = { readonly latestRuns: readonly StreakRun[]; readonly start: StreakStart | null };

/**
 * The latest run once dates have changed, from what is known; undefined where the whole history has to be read: when
 * something changes before the latest run, or goes (D11).
 */
export function latestAfter({ latestRuns, start }: KnownRuns, changes: readonly DayChange[]): LatestRun | undefined {
  const [latest] = latestRuns;
  if (latest && start?.startedOn !== latest.startedOn) return undefined;
  const [change, another] = changes;
  if (!change) return latest && start ? { run: latest, start } : null;
  if (another || change.movements === -1 || (latest && change.on < latest.startedOn)) return undefined;
  const run = latestRunAfter(latestRuns, change.on);
  if (!latest || !start) return { run, start: streakStartOn(run.startedOn) };
  if (run.startedOn === latest.startedOn) return { run, start };
  const { endedOn } = latest;
  return { run, start: streakStartOn(run.startedOn, { endedOn, standing: standingAt(start, endedOn) }) };
}

/**
 * The latest run once dates have changed, from all of a member's runs, oldest first, and the number of movements on each
 * of the changed dates before.
 */
export function latestOfAll(
  runs: readonly StreakRun[],
  changes: readonly DayChange[],
  movementsOn: Readonly<Record<string, number>>,
): LatestRun {
  const counts = new Map<string, number>();
  for (const { on, movements } of changes) counts.set(on, (counts.get(on) ?? movementsOn[on] ?? 0) + movements);
  let after = [...runs];
  for (const [day, count] of counts) after = count > 0 ? runsWith(after, day) : runsWithout(after, day);
  const [run, start] = [after.at(-1), latestStartOf(after)];
  return run && start ? { run, start } : null;
}

/** Runs, oldest first, once a date is among them. */
function runsWith(runs: readonly StreakRun[], day: string): StreakRun[] {
  const touches = ({ startedOn, endedOn }: StreakRun) => startedOn <= addDays(day, 1) && endedOn >= addDays(day, -1);
  const near = runs.filter(touches);
  const joined = {
    startedOn: [day, ...near.map(({ startedOn }) => startedOn)].sort()[0] ?? day,
    endedOn: [day, ...near.map(({ endedOn }) => endedOn)].sort().at(-1) ?? day,
  };
  return [
    ...runs.filter(({ endedOn }) => endedOn < addDays(day, -1)),
    joined,
    ...runs.filter(({ startedOn }) => startedOn > addDays(day, 1)),
  ];
}

/** Runs, oldest first, once a date is not among them any more. */
function runsWithout(runs: readonly StreakRun[], day: string): StreakRun[] {
  return runs.flatMap((run) => {
    if (day < run.startedOn || day > run.endedOn) return [run];
    const parts = [
      { startedOn: run.startedOn, endedOn: addDays(day, -1) },
      { startedOn: addDays(day, 1), endedOn: run.endedOn },
    ];
    return parts.filter(({ startedOn, endedOn }) => startedOn <= endedOn);
  });
}
