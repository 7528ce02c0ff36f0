import { movementLogged } from '@caravan/contracts/events/activity.events';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import sample from '@caravan/contracts/samples/MovementLogged.v1.json';
import { Rejected } from '@caravan/kernel/rejected';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activityNameOf, movement } from './movement.ts';
import type { LogMovement } from './movement.ts';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';
import { movementPublicEvents } from './public-events.ts';
import { noDetails } from './texts.ts';

const at = new Date('2026-11-16T17:31:00.000Z');
const maya = '019a8c10-0000-7000-8000-000000000031';
const command: LogMovement = {
  type: 'LogMovement',
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: maya,
  teamId: '019a8c10-0000-7000-8000-000000000021',
  timeZone: 'Europe/Berlin',
  activity: 'Walking',
  durationMinutes: 30,
  source: 'manual',
  startedAt: undefined,
  coveredMiles: undefined,
  notCounted: null,
  reach: 'week',
};
const given = specOf(movement, { by: maya, at });
const logged: MovementEvent = {
  type: 'MovementLogged',
  data: {
    logId: command.logId,
    userId: maya,
    teamId: command.teamId,
    activity: 'Walking',
    durationMinutes: 30,
    centimiles: 300,
    multiplier: 1,
    source: 'manual',
    startedAt: '2026-11-16T17:01:00.000Z',
    loggedAt: '2026-11-16T17:31:00.000Z',
    loggedOn: '2026-11-16',
    timeZone: 'Europe/Berlin',
    coveredCentimiles: null,
  },
};
const decide = (changes: Partial<LogMovement>) =>
  movement.decide({ ...command, ...changes }, movement.initial, { by: maya, orgId: 'org', at });
const dataOf = (changes: Partial<LogMovement>) => decide(changes)[0]?.data as LoggedMovement | undefined;
const refusalOf = (changes: Partial<LogMovement>) => {
  try {
    decide(changes);
    return undefined;
  } catch (error) {
    return error instanceof Rejected ? [error.code, error.kind, error.message] : error;
  }
};
const ago = (days: number, minutes = 0) => new Date(at.getTime() - (days * 1440 + minutes) * 60_000);

test('[D40] a movement without a start ended now', () => {
  given().when(command).then(logged);
});

describe('logging the same log again', () => {
  test('[D38] changes nothing', () => {
    given(logged).when(command).thenNothing();
    given(logged)
      .when({ ...command, durationMinutes: 90 })
      .thenNothing();
  });

  test('[D4] does not exist for another member', () => {
    const omar = '019a8c10-0000-7000-8000-000000000032';
    given(logged)
      .when({ ...command, userId: omar })
      .rejects('movement/not-found', 'not-found');
  });
});

describe('how long a movement may be', () => {
  test.each([
    ['manual', 9, 'Duration must be at least 10 minutes'],
    ['manual', 10, undefined],
    ['timer', 0, 'Activity must be at least 1 minute to log.'],
    ['timer', 1, undefined],
    ['manual', 1440, undefined],
    ['manual', 1441, 'Duration must be at most 1440 minutes'],
    ['timer', 1441, 'Duration must be at most 1440 minutes'],
    ['manual', 30.5, 'Duration must be a whole number of minutes'],
    ['manual', Number.NaN, 'Duration must be a whole number of minutes'],
  ] as const)('[5.7 9.3 D6] %s, %d minutes: %s', (source, durationMinutes, message) => {
    expect(refusalOf({ source, durationMinutes })).toEqual(message && ['movement/bad-duration', 'invalid', message]);
  });

  test('[9.1 D5] every whole number of minutes earns exactly ten hundredths of a mile per minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1440 }), (durationMinutes) => {
        expect(dataOf({ durationMinutes })?.centimiles).toBe(durationMinutes * 10);
      }),
    );
  });
});

describe('when a movement may have started', () => {
  test.each([
    ['manual', ago(7), undefined],
    ['manual', ago(7, 3), ['movement/too-old', 'invalid', 'The start must be at most 7 days ago']],
    ['manual', ago(8), ['movement/too-old', 'invalid', 'The start must be at most 7 days ago']],
    ['timer', ago(7), undefined],
    ['timer', ago(7, 3), ['movement/kept-too-long', 'invalid', 'Activity must be logged within 7 days of its start.']],
    ['timer', ago(1090), ['movement/kept-too-long', 'invalid', 'Activity must be logged within 7 days of its start.']],
    ['manual', ago(0, -1), undefined],
    ['manual', ago(0, -3), ['movement/future-start', 'invalid', 'The start must not be in the future']],
    ['timer', ago(0, -3), ['movement/future-start', 'invalid', 'The start must not be in the future']],
  ] as const)('[D6] %s, started %s: %s', (source, startedAt, refusal) => {
    expect(refusalOf({ source, startedAt })).toEqual(refusal);
  });

  test('[D6] a history that an operator brings along reaches back three years, and is judged alike otherwise', () => {
    const tooOld = ['movement/too-old', 'invalid', expect.any(String)];
    for (const source of ['manual', 'timer'] as const)
      expect(refusalOf({ source, startedAt: ago(1090), reach: 'history' })).toBeUndefined();
    expect(refusalOf({ startedAt: ago(1097), reach: 'history' })).toEqual(tooOld);
    const tooShort = ['movement/bad-duration', 'invalid', expect.any(String)];
    expect(refusalOf({ startedAt: ago(30), durationMinutes: 9, reach: 'history' })).toEqual(tooShort);
  });

  test('[D6 D8] a log that reaches far back may be corrected where it stands, and moved no further back', () => {
    const old = {
      ...logged,
      data: { ...logged.data, startedAt: ago(30).toISOString(), loggedOn: '2026-10-17' },
    };
    const correct = { type: 'CorrectMovement', userId: maya, isOtherActivity: false, changesTexts: false } as const;
    const history = given(old);
    // The same start told again changes nothing and is refused for nothing.
    history.when({ ...correct, startedAt: ago(30) }).thenNothing();
    history.when({ ...correct, startedAt: ago(31) }).rejects('movement/too-old', 'invalid');
  });

  test('[D6] two minutes are allowed for clocks that differ, and not an instant more', () => {
    const week = 7 * 1440 * 60_000;
    const tolerance = 2 * 60_000;
    const from = (milliseconds: number) => new Date(at.getTime() + milliseconds);
    expect(refusalOf({ startedAt: from(tolerance) })).toBeUndefined();
    expect(refusalOf({ startedAt: from(tolerance + 1) })).toEqual([
      'movement/future-start',
      'invalid',
      expect.any(String),
    ]);
    expect(refusalOf({ startedAt: from(-week - tolerance) })).toBeUndefined();
    expect(refusalOf({ startedAt: from(-week - tolerance - 1) })).toEqual([
      'movement/too-old',
      'invalid',
      expect.any(String),
    ]);
  });

  test('[D6] a clock that is a minute ahead never puts a log into the future', () => {
    expect(dataOf({ startedAt: ago(0, -1) })?.startedAt).toBe(at.toISOString());
  });

  test('[D6 D10] what a timer measured has ended by now, however far ahead the clock is that says when it started', () => {
    const halfAnHourAgo = ago(0, 30).toISOString();
    expect(dataOf({ source: 'timer', startedAt: ago(0, 20) })?.startedAt).toBe(halfAnHourAgo);
    expect(dataOf({ source: 'timer', startedAt: ago(0, 40) })?.startedAt).toBe(ago(0, 40).toISOString());
    expect(dataOf({ source: 'manual', startedAt: ago(0, 20) })?.startedAt).toBe(ago(0, 20).toISOString());
  });

  test('[D5] the distance a member names is kept and earns nothing', () => {
    expect(dataOf({ coveredMiles: 2.345 })).toMatchObject({ coveredCentimiles: 235, centimiles: 300 });
  });
});

describe("the member's local date at the start", () => {
  test.each([
    ['Pacific/Kiritimati', '2026-11-16T10:30:00Z', '2026-11-17'],
    ['Pacific/Pago_Pago', '2026-11-16T10:30:00Z', '2026-11-15'],
    ['Asia/Kathmandu', '2026-11-15T18:14:00Z', '2026-11-15'],
    ['Asia/Kathmandu', '2026-11-15T18:15:00Z', '2026-11-16'],
  ])('[D10] in %s, %s is %s', (timeZone, startedAt, loggedOn) => {
    expect(dataOf({ timeZone, startedAt: new Date(startedAt) })?.loggedOn).toBe(loggedOn);
  });

  test('[D10] is the date of the start, not of the entry, in every zone and week', () => {
    const zones = ['Europe/London', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 7 * 1440 }), (timeZone, minutes) => {
        const startedAt = ago(0, minutes);
        expect(dataOf({ timeZone, startedAt })?.loggedOn).toBe(localDateOf(startedAt, timeZone));
      }),
    );
  });
});

test.each([
  ['Walking', 'Walking'],
  ['Rock Climbing', 'Rock Climbing'],
  ['walking', 'custom'],
  ['Chasing Lena through the garden', 'custom'],
  ['constructor', 'custom'],
])('[3.10] the log holds %j as %j', (typed, name) => {
  expect(activityNameOf(typed)).toBe(name);
});

test('a logged movement leaves as the frozen sample says', () => {
  const { activityType, caption, location, photoPath, photo, heartRate, calories, ...data } = sample;
  const log = { ...data, activity: 'Walking', coveredCentimiles: null, import: { audience: data.audience } };
  const event = { type: 'MovementLogged', data: log };
  const publish = movementPublicEvents.MovementLogged;
  if (publish === 'private') throw new Error('MovementLogged leaves this service');
  const texts = {
    ...noDetails,
    activityType,
    caption,
    location,
    heartRate,
    calories,
    photo: { objectPath: photoPath, ...photo },
  };
  expect(publish(event as unknown as Parameters<typeof publish>[0], texts)).toEqual({
    type: 'MovementLogged',
    version: 1,
    data: movementLogged.data.parse(sample),
  });
});

test('[D8 ADR-0104] the effort of a log leaves with no event', () => {
  const publish = movementPublicEvents.MovementLogged;
  if (publish === 'private') throw new Error('MovementLogged leaves this service');
  const event = { type: 'MovementLogged', data: { ...sample, activity: 'Walking' } };
  const of = (perceivedEffort: number | null) =>
    publish(event as unknown as Parameters<typeof publish>[0], {
      ...noDetails,
      activityType: 'Walking',
      photo: null,
      perceivedEffort,
    });
  expect(of(5)).toEqual(of(null));
});

test('[ADR-0001] logs are found under the category that they were stored under', () => {
  expect(movement.category).toBe('movement');
});
