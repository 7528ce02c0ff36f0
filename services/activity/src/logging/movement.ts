import { type moreActivities, type presetActivities, productActivities } from '@caravan/contracts/activities';
import { durationRefusal } from '@caravan/contracts/http/movement';
import { localDateOf } from '@caravan/contracts/local-days';
import { centimilesOf } from '@caravan/contracts/miles';
import type { Decider } from '@caravan/event-store/decider';
import { Rejected } from '@caravan/event-store/rejected';

/** What the log may say of an activity: a name from the product's own lists. What a member typed stays in a row. */
export type ActivityName = (typeof presetActivities)[number]['name'] | (typeof moreActivities)[number] | 'custom';

// Events

export type MovementEvent = {
  type: 'MovementLogged';
  data: {
    logId: string;
    userId: string;
    /** The team the miles were earned for; they stay with it (D2). */
    teamId: string;
    activity: ActivityName;
    durationMinutes: number;
    centimiles: number;
    multiplier: number;
    source: 'timer' | 'manual';
    startedAt: string;
    loggedAt: string;
    /** The member's local date at the start (D10). */
    loggedOn: string;
    timeZone: string;
    /** The distance the member names, in hundredths of a mile; it earns nothing (D5). */
    coveredCentimiles: number | null;
    /** The bonus challenge that it completes; absent on an ordinary log. */
    bonus?: BonusUse;
  };
};

/** A bonus challenge that a log completes, with what it asked for, so that a correction can be judged. */
export type BonusUse = {
  challengeId: string;
  multiplier: number;
  targetDurationMinutes: number;
};

// Commands

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
  /** Absent: an ordinary log. */
  bonus?: BonusUse | undefined;
};

// State: only what a decision needs

export type Movement = { is: 'absent' } | { is: 'live'; userId: string };

const minuteMilliseconds = 60_000;
const dayMilliseconds = 1440 * minuteMilliseconds;
/** How far a member's clock may differ from ours. */
const toleranceMilliseconds = 2 * minuteMilliseconds;
/** A typed entry reaches back a week (D6). A timer is what a device measured, which may have been away for longer. */
const furthestBackDays = { manual: 7, timer: 1096 };

export const movement: Decider<Movement, LogMovement, MovementEvent> = {
  category: 'movement',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    if (state.is === 'live') {
      if (state.userId === command.userId) return [];
      throw new Rejected('movement/not-found', 'not-found', 'This log does not exist');
    }
    return [logged(command, at)];
  },

  evolve(_state, { data }) {
    return { is: 'live', userId: data.userId };
  },
};

function logged(command: LogMovement, at: Date): MovementEvent {
  const { logId, userId, teamId, activity, durationMinutes, source, timeZone, coveredMiles, bonus } = command;
  const refusal = durationRefusal(durationMinutes, source);
  if (refusal !== undefined) throw new Rejected('movement/bad-duration', 'invalid', refusal);
  const startedAt = startOf(command, at);
  const multiplier = bonus?.multiplier ?? 1;
  return {
    type: 'MovementLogged',
    data: {
      logId,
      userId,
      teamId,
      activity,
      durationMinutes,
      centimiles: centimilesOf(durationMinutes, multiplier),
      multiplier,
      source,
      startedAt: startedAt.toISOString(),
      loggedAt: at.toISOString(),
      loggedOn: localDateOf(startedAt, timeZone),
      timeZone,
      coveredCentimiles: coveredMiles === undefined ? null : Math.round(coveredMiles * 100),
      ...(bonus && { bonus }),
    },
  };
}

function startOf({ startedAt, durationMinutes, source }: LogMovement, at: Date): Date {
  if (startedAt === undefined) return new Date(at.getTime() - durationMinutes * minuteMilliseconds);
  const ageMilliseconds = at.getTime() - startedAt.getTime();
  if (ageMilliseconds < -toleranceMilliseconds)
    throw new Rejected('movement/future-start', 'invalid', 'The start must not be in the future');
  const furthestBack = furthestBackDays[source] * dayMilliseconds;
  if (ageMilliseconds > furthestBack + toleranceMilliseconds)
    throw new Rejected('movement/too-old', 'invalid', tooOld[source]);
  return ageMilliseconds < 0 ? at : startedAt;
}

const tooOld = {
  manual: 'The start must be at most 7 days ago',
  timer: 'The start must be at most 3 years ago',
};

const knownActivities: ReadonlySet<string> = new Set(productActivities);

/** The name the log may hold for what a member called the activity. */
export function activityNameOf(typed: string): ActivityName {
  return knownActivities.has(typed) ? (typed as ActivityName) : 'custom';
}
