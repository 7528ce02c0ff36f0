import { addDays } from '@caravan/contracts/local-days';
import { latestStartOf, standingAt, streakStartOn } from '@caravan/contracts/streak';
import type { StreakRun, StreakStart } from '@caravan/contracts/streak';
import type { FiguresAfter } from './public-events.ts';

/** A local date that gains or loses a movement. */
export type DayChange = { readonly on: string; readonly movements: 1 | -1 };

/** A member's latest run of days and how it began; null without any day. */
export type LatestRun = { readonly run: StreakRun; readonly start: StreakStart } | null;

/** What is known of a member before an entry. */
export type MemberSnapshot = {
  /** The organisation's; null while this service has not heard of it. */
  readonly timeZone: string | null;
  /** Whether the organisation lets freezes hold streaks (D11). */
  readonly hasFreezes: boolean;
  readonly centimiles: number;
  /** How many entries make up the total. */
  readonly entries: number;
  /** The two latest, latest first. */
  readonly latestRuns: readonly StreakRun[];
  /** How the latest run began; null while nobody has looked. */
  readonly start: StreakStart | null;
};

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

/**
 * A member's latest run once something is credited on `day`, from the two latest runs before (latest first): days may
 * arrive in any order, and one may close the gap between the two (D11).
 */
export function latestRunAfter([latest, previous]: readonly StreakRun[], day: string): StreakRun {
  const alone = { startedOn: day, endedOn: day };
  if (!latest || day > addDays(latest.endedOn, 1)) return alone;
  if (day > latest.endedOn) return { startedOn: latest.startedOn, endedOn: day };
  if (day !== addDays(latest.startedOn, -1)) return latest;
  const isBridge = previous?.endedOn === addDays(day, -1);
  return { startedOn: isBridge ? previous.startedOn : day, endedOn: latest.endedOn };
}

/** The figures of a member with so many miles and this run of days. */
export function figuresWith(totalCentimiles: number, latest: LatestRun): FiguresAfter {
  if (!latest) return { totalCentimiles, latestRun: null };
  const { run, start } = latest;
  return { totalCentimiles, latestRun: run, streak: standingAt(start, run.endedOn) };
}

/** The figures of a member once miles that no log earned are in: days stay as they are. */
export function figuresWithMiles(before: MemberSnapshot, centimiles: number): FiguresAfter {
  const latest = latestAfter(before, []);
  const total = before.centimiles + centimiles;
  // How the run began is not known yet: then identity counts without freezes until the next log.
  return latest === undefined
    ? { totalCentimiles: total, latestRun: before.latestRuns[0] ?? null }
    : figuresWith(total, latest);
}
