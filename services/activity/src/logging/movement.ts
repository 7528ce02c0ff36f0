import { productActivities } from '@caravan/contracts/domain/movement/activities';
import { durationRefusal } from '@caravan/contracts/http/movement';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { centimilesOf } from '@caravan/contracts/domain/movement/miles';
import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import type { BonusUse } from '../bonus-window/index.ts';
import { correctionTo, type CountMovement, decideRecount } from './counted.ts';
import { decideImport, refuseImported, removedOf, decideRetraction } from './imported.ts';
import type { ImportMovement, RetractMovement } from './imported.ts';
import type { ActivityName, MovementEvent, LoggedMovement, Movement, NotCounted } from './movement-events.ts';

/** Members have a week; a history is what an operator brings along. */
export type Reach = 'week' | 'history';

export type LogMovement = {
  type: 'LogMovement';
  logId: string;
  userId: string;
  teamId: string;
  timeZone: string;
  activity: ActivityName;
  durationMinutes: number;
  source: 'timer' | 'manual';
  /** Absent: the movement ended just now (D40). */
  startedAt: Date | undefined;
  coveredMiles: number | undefined;
  bonus?: BonusUse | undefined;
  /** Null: it counts (D25). */
  notCounted: NotCounted | null;
  reach: Reach;
};

export type CorrectMovement = {
  type: 'CorrectMovement';
  userId: string;
  activity?: ActivityName | undefined;
  /** Two that the log knows as 'custom' may differ too. */
  isOtherActivity: boolean;
  durationMinutes?: number | undefined;
  startedAt?: Date | undefined;
  coveredMiles?: number | null | undefined;
  /** The log never holds what was typed; its readers must hear that it changed. */
  changesTexts: boolean;
  /** The member's word on whether it counts; null takes it back, undefined leaves it (D25). */
  override?: boolean | null | undefined;
};

export type RemoveMovement = { type: 'RemoveMovement'; userId: string };

export type MovementCommand =
  LogMovement | CorrectMovement | RemoveMovement | ImportMovement | RetractMovement | CountMovement;

const minuteMilliseconds = 60_000;
const dayMilliseconds = 1440 * minuteMilliseconds;
/** How long the owner may change a log after it was made (D8). */
const changeableDays = 7;

export const movement: Decider<Movement, MovementCommand, MovementEvent> = {
  category: 'movement',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    if (state.is !== 'absent' && ownerOf(state) !== command.userId) throw notFound();
    if (command.type === 'LogMovement') return state.is === 'absent' ? [decideLog(command, at)] : [];
    if (command.type === 'ImportMovement') return decideImport(command, state, at);
    if (command.type === 'RetractMovement') return decideRetraction(command, state, at);
    if (command.type === 'CountMovement') return decideRecount(command, state, at);
    if (state.is !== 'live') throw notFound();
    if (command.type === 'CorrectMovement') refuseImported(state.log);
    if (at.getTime() - Date.parse(state.log.loggedAt) > changeableDays * dayMilliseconds)
      throw new Rejected('movement/too-late', 'invalid', 'A log can be changed for 7 days.');
    return command.type === 'RemoveMovement'
      ? [{ type: 'MovementRemoved', data: removedOf(state.log, at) }]
      : decideCorrection(command, state, at);
  },

  evolve(state, event) {
    switch (event.type) {
      case 'MovementLogged':
        return { is: 'live', revision: 1, log: event.data };
      case 'MovementCorrected': {
        const { revision, correctedAt: _, previous: __, ...log } = event.data;
        return { is: 'live', revision, log };
      }
      case 'MovementRemoved':
      case 'MovementForestalled':
        return { is: 'removed', userId: event.data.userId };
    }
  },
};

const ownerOf = (state: Exclude<Movement, { is: 'absent' }>): string =>
  state.is === 'live' ? state.log.userId : state.userId;

const notFound = () => new Rejected('movement/not-found', 'not-found', 'This log does not exist');

function decideLog(command: LogMovement, at: Date): MovementEvent {
  const { logId, userId, teamId, activity, durationMinutes, source, timeZone, coveredMiles, notCounted } = command;
  refuseBadDuration(durationMinutes, source);
  const startedAt = startOf(command, at);
  const bonus = notCounted ? undefined : command.bonus;
  const multiplier = bonus?.multiplier ?? 1;
  return {
    type: 'MovementLogged',
    data: {
      logId,
      userId,
      teamId,
      activity,
      durationMinutes,
      multiplier,
      source,
      centimiles: notCounted ? 0 : centimilesOf(durationMinutes, multiplier),
      startedAt: startedAt.toISOString(),
      loggedAt: at.toISOString(),
      loggedOn: localDateOf(startedAt, timeZone),
      timeZone,
      coveredCentimiles: coveredMiles === undefined ? null : centimilesCovered(coveredMiles),
      ...(bonus && { bonus }),
      ...(notCounted && { notCounted }),
    },
  };
}

function decideCorrection(command: CorrectMovement, state: Extract<Movement, { is: 'live' }>, at: Date) {
  const { log } = state;
  const { activity = log.activity, durationMinutes = log.durationMinutes, coveredMiles } = command;
  if (command.durationMinutes !== undefined)
    refuseBadDuration(durationMinutes, log.source === 'timer' ? 'timer' : 'manual');
  const startedAt = command.startedAt ? correctedStart(command.startedAt, log, at).toISOString() : log.startedAt;
  const { bonus, override: wordBefore = null, ...plain } = log;
  const override = command.override === undefined ? wordBefore : command.override;
  // A bonus challenge stays completed as long as the log still is what it asked for (D15).
  const keeps = bonus && !command.isOtherActivity && durationMinutes >= bonus.targetDurationMinutes;
  const multiplier = keeps ? bonus.multiplier : 1;
  const now: LoggedMovement = {
    ...plain,
    activity,
    durationMinutes,
    multiplier,
    centimiles: log.notCounted ? 0 : centimilesOf(durationMinutes, multiplier),
    startedAt,
    loggedOn: localDateOf(new Date(startedAt), log.timeZone),
    ...(coveredMiles !== undefined && {
      coveredCentimiles: coveredMiles === null ? null : centimilesCovered(coveredMiles),
    }),
    ...(keeps && { bonus }),
    ...(override !== null && { override }),
  };
  if (!command.changesTexts && !differs(log, now)) return [];
  return [{ type: 'MovementCorrected' as const, data: correctionTo(now, state, at) }];
}

const differs = (one: LoggedMovement, other: LoggedMovement): boolean =>
  one.activity !== other.activity ||
  one.durationMinutes !== other.durationMinutes ||
  one.multiplier !== other.multiplier ||
  one.startedAt !== other.startedAt ||
  one.override !== other.override ||
  one.coveredCentimiles !== other.coveredCentimiles;

function refuseBadDuration(durationMinutes: number, source: LogMovement['source']): void {
  const refusal = durationRefusal(durationMinutes, source);
  if (refusal !== undefined) throw new Rejected('movement/bad-duration', 'invalid', refusal);
}

const centimilesCovered = (miles: number): number => Math.round(miles * 100);

const knownActivities: ReadonlySet<string> = new Set(productActivities);

/** The name the log may hold for what a member called the activity. */
export function activityNameOf(typed: string): ActivityName {
  return knownActivities.has(typed) ? (typed as ActivityName) : 'custom';
}

/** How far a member's clock may differ from ours. */
const toleranceMilliseconds = 2 * minuteMilliseconds;

/** What a device kept for longer would make streaks of the past (D6). */
const furthestBackDays: Readonly<Record<Reach, number>> = { week: 7, history: 1096 };

type LogTimes = Pick<LoggedMovement, 'startedAt' | 'loggedAt'>;
type ClaimedStart = Pick<LogMovement, 'startedAt' | 'durationMinutes' | 'source' | 'reach'>;

/** Judged as if it had been told when the log was made. */
function correctedStart(startedAt: Date, log: LogTimes, at: Date): Date {
  const madeAt = new Date(log.loggedAt);
  refuseAfter(at, startedAt, 'in the future');
  refuseAfter(madeAt, startedAt, 'after the log was made');
  // A log that reaches further back by itself is not refused for where it stands.
  if (startedAt < new Date(log.startedAt))
    refuseLongBefore(madeAt, startedAt, 'week', tooOld('before the log was made'));
  return new Date(Math.min(startedAt.getTime(), madeAt.getTime()));
}

/** Just now, where the member does not say. Throws `Rejected`. */
export function startOf({ startedAt, durationMinutes, source, reach }: ClaimedStart, at: Date): Date {
  const justNow = at.getTime() - durationMinutes * minuteMilliseconds;
  if (startedAt === undefined) return new Date(justNow);
  refuseAfter(at, startedAt, 'in the future');
  refuseLongBefore(at, startedAt, reach, source === 'timer' ? keptTooLong : tooOld('ago'));
  // What a timer measured is over: else the member's clock is ahead of ours.
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
