import { Rejected } from '@caravan/event-store/rejected';

const minuteMilliseconds = 60_000;
const dayMilliseconds = 1440 * minuteMilliseconds;
/** How far a member's clock may differ from ours. */
const toleranceMilliseconds = 2 * minuteMilliseconds;

/** How far back a log may have started. Members have a week; a history is what an operator brings along. */
export type Reach = 'week' | 'history';
/** A log reaches back a week, typed or timed (D6): what a device kept for longer would make streaks of the past. */
const furthestBackDays: Readonly<Record<Reach, number>> = { week: 7, history: 1096 };

/** What a log says of its own time. */
type Told = { readonly startedAt: string; readonly loggedAt: string };

type Claimed = {
  readonly startedAt: Date | undefined;
  readonly durationMinutes: number;
  readonly source: 'timer' | 'manual';
  readonly reach: Reach;
};

/** A corrected start is judged as if it had been told when the log was made. */
export function correctedStart(startedAt: Date, log: Told, at: Date): Date {
  const madeAt = new Date(log.loggedAt);
  refuseAfter(at, startedAt, 'in the future');
  refuseAfter(madeAt, startedAt, 'after the log was made');
  // A log that reaches further back by itself is not refused for where it stands.
  if (startedAt < new Date(log.startedAt))
    refuseLongBefore(madeAt, startedAt, 'week', tooOld('before the log was made'));
  return new Date(Math.min(startedAt.getTime(), madeAt.getTime()));
}

/** When a movement started, as the log will say; just now, where the member does not say. Throws `Rejected`. */
export function startOf({ startedAt, durationMinutes, source, reach }: Claimed, at: Date): Date {
  const justNow = at.getTime() - durationMinutes * minuteMilliseconds;
  if (startedAt === undefined) return new Date(justNow);
  refuseAfter(at, startedAt, 'in the future');
  refuseLongBefore(at, startedAt, reach, source === 'timer' ? keptTooLong : tooOld('ago'));
  // What a timer measured is over: where it seems to end later, the member's clock is ahead of ours.
  return new Date(Math.min(startedAt.getTime(), source === 'timer' ? justNow : at.getTime()));
}

function refuseAfter(latest: Date, startedAt: Date, words: string): void {
  if (startedAt.getTime() - latest.getTime() > toleranceMilliseconds)
    throw new Rejected('movement/future-start', 'invalid', `The start must not be ${words}`);
}

function refuseLongBefore(told: Date, startedAt: Date, reach: Reach, refusal: () => Rejected): void {
  const furthest = furthestBackDays[reach] * dayMilliseconds + toleranceMilliseconds;
  if (told.getTime() - startedAt.getTime() > furthest) throw refusal();
}

const tooOld = (words: string) => () =>
  new Rejected('movement/too-old', 'invalid', `The start must be at most 7 days ${words}`);

const keptTooLong = () =>
  new Rejected('movement/kept-too-long', 'invalid', 'Activity must be logged within 7 days of its start.');
