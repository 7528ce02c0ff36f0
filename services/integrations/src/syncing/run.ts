import { backfillDays, type FitnessProvider, oldestFetchedOf, type SyncRun } from '@caravan/contracts/http/fitness';
import type { FailureReason, Purpose } from '../providers/index.ts';

export type Cause = SyncRun['cause'];
/** Catch-ups are begun for many accounts at once (`catch-ups.store.ts`), and notices are no runs. */
export type BegunCause = Exclude<Cause, 'notice' | 'catch-up'>;

/** A run that fetches what began in a span of time, stretch by stretch, the newest first. */
export type Run = {
  readonly orgId: string;
  readonly runId: string;
  readonly userId: string;
  readonly provider: FitnessProvider;
  readonly cause: Cause;
  readonly from: Date;
  readonly to: Date;
  readonly startedAt: Date;
  /** All that began from here on is fetched. */
  readonly reachedAt: Date;
  readonly stretchBeganAt: Date | null;
  readonly cursor: string | null;
  readonly tries: number;
};

const minute = 60_000;
const day = 24 * 60 * minute;
/** Three of them fetch what is there at connecting: few calls, and some progress to see. */
const stretchDays = 10;
/** A clock of theirs that is ahead. */
const aheadMilliseconds = 15 * minute;
/** What came late to the platform, or was missed here. */
const overlapDays = { asked: 3, nightly: 7 } as const;

export const stretchOf = ({ from, reachedAt }: Pick<Run, 'from' | 'reachedAt'>) => ({
  from: new Date(Math.max(from.getTime(), reachedAt.getTime() - stretchDays * day)),
  to: reachedAt,
});

export const isOver = ({ from, reachedAt }: Pick<Run, 'from' | 'reachedAt'>): boolean => reachedAt <= from;

/** The span of a new run. Nothing is left out since the last one that ended, however long ago. */
export function spanOf(
  cause: BegunCause,
  { connectedAt, lastSyncedAt }: { connectedAt: Date; lastSyncedAt: Date | null },
  now: Date,
): { from: Date; to: Date } {
  const to = new Date(now.getTime() + aheadMilliseconds);
  const oldest = oldestFetchedOf(connectedAt);
  if (cause === 'connect' || lastSyncedAt === null) return { from: oldest, to };
  const from = lastSyncedAt.getTime() - overlapDays[cause] * day;
  return { from: new Date(Math.max(oldest.getTime(), from)), to };
}

/** Of the first 30 days. */
export function backfillOf({ from, reachedAt }: Pick<Run, 'from' | 'reachedAt'>): { daysDone: number; days: number } {
  const left = Math.round((reachedAt.getTime() - from.getTime()) / day);
  return { daysDone: Math.max(0, backfillDays - Math.max(0, left)), days: backfillDays };
}

export const purposeOf: Readonly<Record<Cause, Purpose>> = {
  connect: 'person',
  asked: 'person',
  notice: 'notice',
  nightly: 'background',
  'catch-up': 'background',
};

const mostTries = 30;
const longestRestSeconds = 3_600;

/** Null: trying again is in vain, or has been long enough. */
export function restSeconds(why: FailureReason, tries: number, retryAfterSeconds: number | undefined): number | null {
  const isPassing = why === 'unreachable' || why === 'busy' || (why === 'unreadable' && tries < 5);
  if (!isPassing || tries >= mostTries) return null;
  return Math.max(retryAfterSeconds ?? 0, Math.min(longestRestSeconds, 5 * 2 ** Math.min(tries, 12)));
}

export type Trouble = NonNullable<SyncRun['failure']>;

/** As the history calls it. */
export function failureOf(why: FailureReason): Trouble {
  if (why === 'unreachable' || why === 'busy' || why === 'reconnect') return why;
  return why === 'scope' ? 'reconnect' : 'unreadable';
}

/**
 * What the member of a run that has ended is told of it, if anything: nothing of what they wait for and see, and of
 * trouble once, until it is over.
 */
export function newsOf(
  { cause, wasFailing }: { readonly cause: Cause; readonly wasFailing: boolean },
  failure: Trouble | null,
): 'completed' | 'failed' | 'recovered' | null {
  if (failure !== null) return cause === 'asked' || wasFailing ? null : 'failed';
  if (cause === 'connect') return 'completed';
  return wasFailing ? 'recovered' : null;
}

const nightBeginsAtHour = 1;
const nightMinutes = 5 * 60;

/** Which night it is by UTC, and how far it is gone; undefined by day. Each account has its minute in it. */
export function nightAt(now: Date): { night: string; minutesGone: number; minutes: number } | undefined {
  const midnight = Date.parse(now.toISOString().slice(0, 10));
  const gone = Math.floor((now.getTime() - midnight) / minute) - nightBeginsAtHour * 60;
  if (gone < 0) return undefined;
  return { night: now.toISOString().slice(0, 10), minutesGone: Math.min(gone, nightMinutes), minutes: nightMinutes };
}
