import { customMinutesPerMile, presetActivities } from '@caravan/contracts/domain/movement/activities';
import { isSameText } from '@caravan/contracts/domain/text/text-key';
import { type FormPhoto, isFormPhoto, usable } from '../../lib/photos.ts';

/** What one moves for; it stays with the run wherever one goes meanwhile. */
export type Purpose = {
  readonly activity: string;
  /** How long one set out to move; null: as it comes. */
  readonly targetMinutes: number | null;
  /** The bonus challenge one came from, and the activity it counts for. */
  readonly bonus: { readonly challengeId: string; readonly activity: string } | null;
};

/** A run of the timer. Time comes from instants, so that a reload, a sleeping laptop or a throttled tab loses nothing. */
export type Run = Purpose & {
  /** When it was first started; milliseconds since 1970. */
  readonly firstStartedAt: number;
  /** What was moved before the last pause. */
  readonly carriedMilliseconds: number;
  /** Since when it has been running; null while it is paused. */
  readonly runningSince: number | null;
  /** The last sign of life: a touch or a key, to within half a minute. */
  readonly touchedAt: number;
} & LogDetails;

/** The fields of a log's form beside activity and time; absent: empty. */
export type LogDetails = {
  readonly description?: string | undefined;
  readonly photo?: FormPhoto | undefined;
  /** 1 to 5; only the owner is told. */
  readonly perceivedEffort?: number | undefined;
};

const secondMilliseconds = 1000;
const secondsPerMile = 600;
/** Nothing shorter can be logged (5.8). */
const shortestSeconds = 60;
/** No log holds more (D6). */
const longestMinutes = 1440;
const touchMilliseconds = 30_000;
/** Who has not touched anything for so long has perhaps forgotten the timer. */
const forgottenMilliseconds = 2 * 3_600_000;

export const startRun = (now: number, purpose: Purpose): Run => ({
  ...purpose,
  firstStartedAt: now,
  carriedMilliseconds: 0,
  runningSince: now,
  touchedAt: now,
});

/** Keeps the time (4.24). */
export function pauseRun(run: Run, now: number): Run {
  return { ...run, carriedMilliseconds: elapsedMilliseconds(run, now), runningSince: null };
}

export function resumeRun(run: Run, now: number): Run {
  return run.runningSince === null ? { ...run, runningSince: now, touchedAt: now } : run;
}

/** Nobody has touched anything for two hours while the time ran on. */
export const isForgotten = ({ runningSince, touchedAt }: Run, now: number): boolean =>
  runningSince !== null && now - touchedAt >= forgottenMilliseconds;

/** Notes a sign of life; none that comes after the run was forgotten, for that one is asked about. */
export function touchRun(run: Run, now: number): Run {
  const isNews = run.runningSince !== null && now - run.touchedAt >= touchMilliseconds;
  return isNews && !isForgotten(run, now) ? { ...run, touchedAt: now } : run;
}

/** Somebody was moving all the while. */
export const keepRun = (run: Run, now: number): Run => ({ ...run, touchedAt: now });

/** Keeps what is said about it. */
export const detailRun = (run: Run, { description = run.description, ...details }: LogDetails): Run => ({
  ...run,
  description: description || undefined,
  ...details,
});

/** Nothing is kept for a log of it. */
export const clearLog = (run: Run): Run => ({
  ...run,
  description: undefined,
  photo: undefined,
  perceivedEffort: undefined,
});

/** Its log was being made when the screen was left. */
export const isBeingLogged = ({ runningSince, description, photo, perceivedEffort }: Run): boolean =>
  runningSince === null && [description, photo, perceivedEffort].some((detail) => detail !== undefined);

/** A log shows something or says something (5.8). */
export const isTold = ({ description = '', photo }: LogDetails): boolean =>
  usable(photo) !== null || description.trim() !== '';

/** Paused at the last sign of life. */
export const trimRun = (run: Run): Run => pauseRun(run, run.touchedAt);

/** A clock that was set back never takes time away. */
function elapsedMilliseconds({ carriedMilliseconds, runningSince }: Run, now: number): number {
  return carriedMilliseconds + (runningSince === null ? 0 : Math.max(0, now - runningSince));
}

export const elapsedSeconds = (run: Run, now: number): number =>
  Math.floor(elapsedMilliseconds(run, now) / secondMilliseconds);

/** Miles earned so far, in hundredths and never rounded up: ten minutes of anything are one (9.1). */
export const milesSoFar = (seconds: number): number => Math.floor((seconds / secondsPerMile) * 100) / 100;

/** An estimate of the way covered, by the pace of the activity; it earns nothing (9.2, D5). */
export function coveredMiles(activity: string, seconds: number): number {
  const pace = presetActivities.find(({ name }) => name === activity)?.minutesPerMile ?? customMinutesPerMile;
  return seconds / 60 / pace;
}

/** Seconds until the next mile is full (2.69). */
export const secondsToNextMile = (seconds: number): number => secondsPerMile - (seconds % secondsPerMile);

/** How much of the current mile is behind one, 0 to 1. */
export const shareOfMile = (seconds: number): number => (seconds % secondsPerMile) / secondsPerMile;

export const isLongEnough = (seconds: number): boolean => seconds >= shortestSeconds;

/** Whole minutes moved, as many as a log can hold; a minute that was not moved is never logged (D6). */
export const wholeMinutes = (seconds: number): number => Math.min(longestMinutes, Math.floor(seconds / 60));

export const isLongerThanALog = (seconds: number): boolean => seconds >= (longestMinutes + 1) * 60;

/** A bonus counts for its own activity only (D15). */
export const isDoubled = ({ bonus, activity }: Purpose): boolean =>
  bonus !== null && isSameText(bonus.activity, activity);

/** `m:ss`, from an hour `h:mm:ss` (D44). */
export function formatElapsed(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const rest = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The run that a browser kept; null when there is none or it cannot be read. */
export function readRun(text: string | null): Run | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isRun(value) ? value : null;
  } catch {
    return null;
  }
}

function isRun(value: unknown): value is Run {
  if (typeof value !== 'object' || value === null) return false;
  const { firstStartedAt, carriedMilliseconds, runningSince, touchedAt, ...rest } = value as Partial<Run>;
  const { description, photo, perceivedEffort, ...purpose } = rest;
  const { activity, targetMinutes, bonus } = purpose;
  return (
    [firstStartedAt, carriedMilliseconds, touchedAt].every(Number.isFinite) &&
    (runningSince === null || Number.isFinite(runningSince)) &&
    (targetMinutes === null || Number.isFinite(targetMinutes)) &&
    typeof activity === 'string' &&
    (description === undefined || typeof description === 'string') &&
    (photo === undefined || isFormPhoto(photo)) &&
    (perceivedEffort === undefined || Number.isInteger(perceivedEffort)) &&
    (bonus === null || (typeof bonus?.challengeId === 'string' && typeof bonus.activity === 'string'))
  );
}
