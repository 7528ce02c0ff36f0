import { movementCorrected, movementRemoved } from '@caravan/contracts/events/activity.events';
import correctedSample from '@caravan/contracts/samples/MovementCorrected.v1.json';
import removedSample from '@caravan/contracts/samples/MovementRemoved.v1.json';
import type { Recorded } from '@caravan/event-store/core/projection';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, expect, test } from 'vitest';
import { correctionOf } from './movement.service.ts';
import { movement } from './movement.ts';
import type { CorrectMovement } from './movement.ts';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';
import { movementPublicEvents } from './public-events.ts';
import { correctedTexts, noDetails } from './texts.ts';

const maya = '019a8c10-0000-7000-8000-000000000031';
const omar = '019a8c10-0000-7000-8000-000000000032';
const log: LoggedMovement = {
  logId: '019a8c10-0000-7000-8000-000000000041',
  userId: maya,
  teamId: '019a8c10-0000-7000-8000-000000000021',
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
};
const at = new Date('2026-11-17T09:00:00.000Z');
const given = specOf(movement, { by: maya, at });
const logged: MovementEvent = { type: 'MovementLogged', data: log };
const correct = (changes: Partial<CorrectMovement>): CorrectMovement => ({
  type: 'CorrectMovement',
  userId: maya,
  isOtherActivity: false,
  changesTexts: false,
  ...changes,
});
const remove = { type: 'RemoveMovement', userId: maya } as const;
const previous = { durationMinutes: 30, centimiles: 300, loggedOn: '2026-11-16' };
const correctedEvent = (changes: Partial<LoggedMovement>, rest: object = {}): MovementEvent => ({
  type: 'MovementCorrected',
  data: { ...log, ...changes, revision: 2, correctedAt: at.toISOString(), previous, ...rest },
});
const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = log;
const removed: MovementEvent = {
  type: 'MovementRemoved',
  data: {
    logId,
    userId,
    teamId,
    durationMinutes,
    centimiles,
    startedAt,
    loggedOn,
    removedAt: at.toISOString(),
  },
};

describe('correcting a log', () => {
  test('[D5 D8] to other minutes earns what these minutes earn', () => {
    given(logged)
      .when(correct({ durationMinutes: 20 }))
      .then(correctedEvent({ durationMinutes: 20, centimiles: 200 }));
  });

  test('[D8] changes what was said and nothing else', () => {
    given(logged)
      .when(correct({ activity: 'Yoga', isOtherActivity: true }))
      .then(correctedEvent({ activity: 'Yoga' }));
    given(logged)
      .when(correct({ coveredMiles: 2.345 }))
      .then(correctedEvent({ coveredCentimiles: 235 }));
    given(logged)
      .when(correct({ changesTexts: true }))
      .then(correctedEvent({}));
  });

  test('[D8 D38] to what it says already changes nothing', () => {
    given(logged).when(correct({})).thenNothing();
    given(logged)
      .when(correct({ durationMinutes: 30, activity: 'Walking', coveredMiles: null }))
      .thenNothing();
  });

  test('[D6 D8] of a log shorter than today’s least is accepted while its minutes stay', () => {
    const short = { durationMinutes: 5, centimiles: 50 };
    given({ type: 'MovementLogged', data: { ...log, ...short } })
      .when(correct({ coveredMiles: 1 }))
      .then(correctedEvent({ ...short, coveredCentimiles: 100 }, { previous: { ...previous, ...short } }));
  });

  test('[D10] to another start moves it to the date of that start, in the zone it was logged in', () => {
    const moved = { startedAt: '2026-11-14T23:30:00.000Z', loggedOn: '2026-11-15' };
    given(logged)
      .when(correct({ startedAt: new Date(moved.startedAt) }))
      .then(correctedEvent(moved));
  });

  test('[D8] again counts on from the correction before', () => {
    given(logged, correctedEvent({ durationMinutes: 20, centimiles: 200 }))
      .when(correct({ durationMinutes: 45 }))
      .then(
        correctedEvent(
          { durationMinutes: 45, centimiles: 450 },
          { revision: 3, previous: { ...previous, durationMinutes: 20, centimiles: 200 } },
        ),
      );
  });

  test.each([
    ['manual', 9, 'Duration must be at least 10 minutes'],
    ['manual', 1441, 'Duration must be at most 1440 minutes'],
    ['timer', 0, 'Activity must be at least 1 minute to log.'],
    ['timer', 1, undefined],
    ['manual', 10.5, 'Duration must be a whole number of minutes'],
  ] as const)('[5.7 D6 D8] a log by %s keeps its bounds: %d minutes: %s', (source, minutes, message) => {
    const decide = () =>
      movement.decide(
        correct({ durationMinutes: minutes }),
        { is: 'live', revision: 1, log: { ...log, source } },
        { by: maya, orgId: 'org', at },
      );
    if (message === undefined) expect(decide()).toHaveLength(1);
    else expect(decide).toThrow(message);
  });

  test.each([
    ['2026-11-17T09:03:00.000Z', 'The start must not be in the future'],
    ['2026-11-16T18:00:00.000Z', 'The start must not be after the log was made'],
    ['2026-11-09T17:28:00.000Z', 'The start must be at most 7 days before the log was made'],
  ])('[D6 D8] a start at %s is refused: %s', (start, message) => {
    const decide = () =>
      movement.decide(
        correct({ startedAt: new Date(start) }),
        { is: 'live', revision: 1, log },
        { by: maya, orgId: 'org', at },
      );
    expect(decide).toThrow(message);
  });

  test('[D6 D8] a start is judged from when the log was made, not from now', () => {
    const later = new Date('2026-11-23T17:00:00.000Z');
    given(logged)
      .when(correct({ startedAt: new Date('2026-11-09T18:00:00.000Z') }), { at: later })
      .then(
        correctedEvent(
          { startedAt: '2026-11-09T18:00:00.000Z', loggedOn: '2026-11-09' },
          { correctedAt: later.toISOString() },
        ),
      );
  });
});

describe('the bonus of a log', () => {
  const bonus = { challengeId: '019a8c10-0000-7000-8000-000000000051', multiplier: 2, targetDurationMinutes: 20 };
  const doubled = { type: 'MovementLogged', data: { ...log, centimiles: 600, multiplier: 2, bonus } } as const;
  const before = { previous: { ...previous, centimiles: 600 } };

  test('[D8 D15] stays while the log still is what the challenge asked for', () => {
    given(doubled)
      .when(correct({ durationMinutes: 20 }))
      .then(correctedEvent({ durationMinutes: 20, centimiles: 400, multiplier: 2, bonus }, before));
  });

  test('[D8 D15] goes when the activity of the log becomes one that no list names', () => {
    const juggling: MovementEvent = { type: 'MovementLogged', data: { ...doubled.data, activity: 'custom' } };
    given(juggling)
      .when(correct({ isOtherActivity: true }))
      .then(correctedEvent({ activity: 'custom', centimiles: 300, multiplier: 1 }, before));
  });

  test('[D8 D15] goes when it becomes too short or another activity, and does not come back', () => {
    const short = correctedEvent({ durationMinutes: 19, centimiles: 190, multiplier: 1 }, before);
    given(doubled)
      .when(correct({ durationMinutes: 19 }))
      .then(short);
    given(doubled)
      .when(correct({ activity: 'Yoga', isOtherActivity: true }))
      .then(correctedEvent({ activity: 'Yoga', centimiles: 300, multiplier: 1 }, before));
    given(doubled, short)
      .when(correct({ durationMinutes: 30 }))
      .then(
        correctedEvent(
          { durationMinutes: 30, centimiles: 300 },
          { revision: 3, previous: { ...previous, durationMinutes: 19, centimiles: 190 } },
        ),
      );
  });
});

describe('taking a log back', () => {
  test('[D8] leaves its last figures', () => {
    given(logged).when(remove).then(removed);
  });

  test('[D8] a second time finds nothing, and nothing can be corrected any more', () => {
    given(logged, removed).when(remove).rejects('movement/not-found', 'not-found');
    given(logged, removed)
      .when(correct({ durationMinutes: 20 }))
      .rejects('movement/not-found', 'not-found');
  });
});

describe('whoever may change a log', () => {
  test('[D4 D8] is its owner: for anybody else it does not exist', () => {
    for (const events of [[], [logged]])
      for (const command of [
        { ...correct({ durationMinutes: 20 }), userId: omar },
        { ...remove, userId: omar },
      ])
        given(...events)
          .when(command)
          .rejects('movement/not-found', 'not-found');
  });

  test('[D8] has 7 days from when it was made', () => {
    const last = new Date('2026-11-23T17:31:00.000Z');
    const over = new Date('2026-11-23T17:31:00.001Z');
    given(logged)
      .when(remove, { at: last })
      .then({ ...removed, data: { ...removed.data, removedAt: last.toISOString() } });
    given(logged).when(remove, { at: over }).rejects('movement/too-late', 'invalid');
    given(logged)
      .when(correct({ durationMinutes: 20 }), { at: over })
      .rejects('movement/too-late', 'invalid');
  });
});

describe('what a correction says', () => {
  const photo = { objectPath: '/objects/photos/1', width: 4, height: 3, thumbHash: 'x', alt: null };
  const texts = { ...noDetails, activityType: 'Juggling', caption: 'Three balls', location: 'Park', photo };

  test.each([
    [{}, texts, false],
    [{ photoPrompt: null, location: '' }, { ...texts, caption: null, location: null }, true],
    [{ photoPrompt: 'Four balls' }, { ...texts, caption: 'Four balls' }, true],
    [{ activityType: 'Yoga' }, { ...texts, activityType: 'Yoga' }, true],
    // Its owner's alone: who is told of the log hears nothing.
    [{ perceivedEffort: 2 }, { ...texts, perceivedEffort: 2 }, false],
  ])('[D8] %j leaves %j', (body, after, changesTexts) => {
    expect({ ...texts, ...correctedTexts(body, texts) }).toEqual(after);
    expect(correctionOf(body, { userId: maya, before: texts, after })).toMatchObject({ changesTexts });
  });

  test.each([
    [null, true],
    [{ ...photo, objectPath: '/objects/photos/2' }, true],
    [{ ...photo }, false],
  ])('[D8] with %j instead of a photo is one: %j', (other, changesTexts) => {
    const after = { ...texts, photo: other };
    expect(correctionOf({}, { userId: maya, before: texts, after })).toMatchObject({ changesTexts });
  });

  test('[D15] the case of letters makes no other activity', () => {
    const of = (activityType: string) =>
      correctionOf({ activityType }, { userId: maya, before: texts, after: { ...texts, activityType } });
    expect([of('juggling').isOtherActivity, of('Yoga').isOtherActivity]).toEqual([false, true]);
  });
});

test('[D8] corrections and removals leave as the frozen samples say', () => {
  const { activityType, caption, location, photoPath, photo, heartRate, calories, ...data } = correctedSample;
  const texts = {
    ...noDetails,
    activityType,
    caption,
    location,
    heartRate,
    calories,
    photo: { objectPath: photoPath, ...photo },
  };
  const { MovementCorrected, MovementRemoved } = movementPublicEvents;
  if (MovementCorrected === 'private' || MovementRemoved === 'private') throw new Error('Both leave this service');
  const log = { ...data, activity: 'Walking', coveredCentimiles: null, import: { audience: data.audience } };
  const event = { type: 'MovementCorrected', data: log };
  expect(MovementCorrected(event as unknown as Recorded<never>, texts)).toEqual({
    type: 'MovementCorrected',
    version: 1,
    data: movementCorrected.data.parse(correctedSample),
  });
  const gone = { type: 'MovementRemoved', data: movementRemoved.data.parse(removedSample) };
  expect(MovementRemoved(gone as unknown as Recorded<never>, texts)).toMatchObject({ version: 1, data: removedSample });
});
