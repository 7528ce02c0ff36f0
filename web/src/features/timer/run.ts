/** A run of the timer. Time comes from instants, so that a reload, a sleeping laptop or a throttled tab loses nothing. */
export type Run = {
  /** When it was first started; milliseconds since 1970. */
  readonly firstStartedAt: number;
  /** What was moved before the last pause. */
  readonly carriedMilliseconds: number;
  /** Since when it has been running; null while it is paused. */
  readonly runningSince: number | null;
};

const secondMilliseconds = 1000;
const secondsPerMile = 600;
/** Nothing shorter can be logged (5.8). */
const shortestSeconds = 60;

export const startRun = (now: number): Run => ({ firstStartedAt: now, carriedMilliseconds: 0, runningSince: now });

/** Keeps the time (4.16). */
export function pauseRun(run: Run, now: number): Run {
  return { ...run, carriedMilliseconds: elapsedMilliseconds(run, now), runningSince: null };
}

export function resumeRun(run: Run, now: number): Run {
  return run.runningSince === null ? { ...run, runningSince: now } : run;
}

/** A clock that was set back never takes time away. */
export function elapsedMilliseconds({ carriedMilliseconds, runningSince }: Run, now: number): number {
  return carriedMilliseconds + (runningSince === null ? 0 : Math.max(0, now - runningSince));
}

export const elapsedSeconds = (run: Run, now: number): number =>
  Math.floor(elapsedMilliseconds(run, now) / secondMilliseconds);

/** Miles earned so far, in hundredths and never rounded up: ten minutes of anything are one (9.1). */
export const milesSoFar = (seconds: number): number => Math.floor((seconds / secondsPerMile) * 100) / 100;

/** Seconds until the next mile is full (2.69). */
export const secondsToNextMile = (seconds: number): number => secondsPerMile - (seconds % secondsPerMile);

/** How much of the current mile is behind one, 0 to 1. */
export const shareOfMile = (seconds: number): number => (seconds % secondsPerMile) / secondsPerMile;

export const isLongEnough = (seconds: number): boolean => seconds >= shortestSeconds;

/** Whole minutes moved; a minute that was not moved is never logged (D6). */
export const wholeMinutes = (seconds: number): number => Math.floor(seconds / 60);

/** `m:ss`, from an hour `h:mm:ss` (D44). */
export function formatElapsed(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
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
  const { firstStartedAt, carriedMilliseconds, runningSince } = value as Partial<Run>;
  return (
    Number.isFinite(firstStartedAt) &&
    Number.isFinite(carriedMilliseconds) &&
    (runningSince === null || Number.isFinite(runningSince))
  );
}
