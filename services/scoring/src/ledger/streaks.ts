import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { latestStartOf, standingAt, streakStartOn } from '@caravan/contracts/domain/movement/streak';
import type { StreakRun, StreakStart } from '@caravan/contracts/domain/movement/streak';
import type { FiguresAfter, ShownStreak } from './public-events.ts';

export type DayChange = { readonly on: string; readonly movements: 1 | -1 };

export type LatestRun = { readonly run: StreakRun; readonly start: StreakStart } | null;

export type MemberSnapshot = {
  /** The organisation's; null where it is not known here. */
  readonly zones: ZoneHistory | null;
  readonly hasFreezes: boolean;
  readonly centimiles: number;
  readonly entries: number;
  /** Entries that colleagues may not see, also those that were taken back since (D21). */
  readonly ownerOnlyEntries: number;
  readonly latestRuns: readonly StreakRun[];
  /** Null while nobody has looked. */
  readonly start: StreakStart | null;
};

export type KnownRuns = { readonly latestRuns: readonly StreakRun[]; readonly start: StreakStart | null };

/** Undefined where the whole history has to be read: something changes before the latest run, or goes (D11). */
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

/** `runs` oldest first; with the number of movements on each changed date before. */
export function latestOfAll(
  runs: readonly StreakRun[],
  changes: readonly DayChange[],
  movementsOn: Readonly<Record<string, number>>,
): LatestRun {
  const counts = new Map<string, number>();
  for (const { on, movements } of changes) counts.set(on, (counts.get(on) ?? movementsOn[on] ?? 0) + movements);
  let after = [...runs];
  for (const [day, count] of counts) after = count > 0 ? runsWith(after, day) : runsWithout(after, day);
  const run = after.at(-1);
  const start = latestStartOf(after);
  return run && start ? { run, start } : null;
}

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

/** Days may arrive in any order, and one may close the gap between the two latest runs (D11). */
export function latestRunAfter([latest, previous]: readonly StreakRun[], day: string): StreakRun {
  const alone = { startedOn: day, endedOn: day };
  if (!latest || day > addDays(latest.endedOn, 1)) return alone;
  if (day > latest.endedOn) return { startedOn: latest.startedOn, endedOn: day };
  if (day !== addDays(latest.startedOn, -1)) return latest;
  const isBridge = previous?.endedOn === addDays(day, -1);
  return { startedOn: isBridge ? previous.startedOn : day, endedOn: latest.endedOn };
}

export function figuresWith(totalCentimiles: number, latest: LatestRun): FiguresAfter {
  return { totalCentimiles, ...streakWith(latest) };
}

export function streakWith(latest: LatestRun): ShownStreak {
  if (!latest) return { latestRun: null };
  const { run, start } = latest;
  return { latestRun: run, streak: standingAt(start, run.endedOn) };
}

/** Colleagues are told of their own view only where it differs (D21). */
export function withShown(figures: FiguresAfter, shown: ShownStreak): FiguresAfter {
  const { latestRun, streak } = figures;
  const isSame =
    latestRun?.startedOn === shown.latestRun?.startedOn &&
    latestRun?.endedOn === shown.latestRun?.endedOn &&
    streak?.days === shown.streak?.days &&
    streak?.freezes === shown.streak?.freezes;
  return isSame ? figures : { ...figures, shown };
}

export function figuresWithMiles(before: MemberSnapshot, centimiles: number): FiguresAfter {
  const latest = latestAfter(before, []);
  const total = before.centimiles + centimiles;
  // How the run began is not known yet: identity counts without freezes until the next log.
  return latest === undefined
    ? { totalCentimiles: total, latestRun: before.latestRuns[0] ?? null }
    : figuresWith(total, latest);
}
