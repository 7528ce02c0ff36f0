import { specOf } from '@caravan/event-store/testing/given-when-then';
import { describe, test } from 'vitest';
import type { CountMovement } from './counted.ts';
import type { ImportMovement } from './imported.ts';
import { type CorrectMovement, type LogMovement, movement } from './movement.ts';
import type { LoggedMovement, MovementEvent, NotCounted } from './movement-events.ts';

const maya = '019a8c10-0000-7000-8000-000000000031';
const omar = '019a8c10-0000-7000-8000-000000000032';
const at = new Date('2026-11-17T09:00:00.000Z');
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
const bonus = { challengeId: '019a8c10-0000-7000-8000-000000000051', multiplier: 2, targetDurationMinutes: 20 };
const byStrava: NotCounted = { sameAs: { logId: 'strava-log', source: 'strava' } };
const byFitbit: NotCounted = { sameAs: { logId: 'fitbit-log', source: 'fitbit' } };
const byChoice: NotCounted = { sameAs: null };

const given = specOf(movement, { by: maya, at });
const loggedEvent = (changes: Partial<LoggedMovement> = {}): MovementEvent => ({
  type: 'MovementLogged',
  data: { ...log, ...changes },
});
const count = (notCounted: NotCounted | null): CountMovement => ({ type: 'CountMovement', userId: maya, notCounted });
const correctedEvent = (before: Partial<LoggedMovement>, now: Partial<LoggedMovement>): MovementEvent => {
  const { durationMinutes, centimiles, loggedOn } = { ...log, ...before };
  const previous = { durationMinutes, centimiles, loggedOn };
  return { type: 'MovementCorrected', data: { ...log, ...now, revision: 2, correctedAt: at.toISOString(), previous } };
};
const uncounted = { centimiles: 0, notCounted: byStrava };

describe('a log that does not count', () => {
  test('[D25] earns nothing and names the recording that counts in its place', () => {
    given(loggedEvent()).when(count(byStrava)).then(correctedEvent({}, uncounted));
    given(loggedEvent())
      .when(count(byChoice))
      .then(correctedEvent({}, { centimiles: 0, notCounted: byChoice }));
  });

  test('[D25] earns its miles again once it counts', () => {
    given(loggedEvent(uncounted)).when(count(null)).then(correctedEvent(uncounted, {}));
  });

  test('[D15 D25] gives its bonus challenge back, and does not get it again', () => {
    const doubled = { centimiles: 600, multiplier: 2, bonus };
    given(loggedEvent(doubled)).when(count(byStrava)).then(correctedEvent(doubled, uncounted));
    given(loggedEvent(uncounted)).when(count(null)).then(correctedEvent(uncounted, {}));
  });

  test('[D25] is told anew where another recording counts in its place, or its member says so', () => {
    for (const other of [byFitbit, byChoice])
      given(loggedEvent(uncounted))
        .when(count(other))
        .then(correctedEvent(uncounted, { centimiles: 0, notCounted: other }));
    given(loggedEvent({ centimiles: 0, notCounted: byChoice }))
      .when(count(byStrava))
      .then(correctedEvent({ centimiles: 0 }, uncounted));
    given(loggedEvent({ centimiles: 0, notCounted: byChoice }))
      .when(count(null))
      .then(correctedEvent({ centimiles: 0 }, {}));
  });

  test('[I7 D25] is told once, however often it is decided', () => {
    for (const same of [byStrava, byChoice])
      given(loggedEvent({ centimiles: 0, notCounted: same }))
        .when(count(same))
        .thenNothing();
    given(loggedEvent()).when(count(null)).thenNothing();
  });

  test('[D15 D25] keeps a bonus challenge that nobody takes from it', () => {
    given(loggedEvent({ centimiles: 600, multiplier: 2, bonus }))
      .when(count(null))
      .thenNothing();
  });

  test('[D21 D25] earns nothing either once it counts, where its owner has not consented to be scored', () => {
    const fromStrava = { source: 'strava', import: { revision: 1, audience: 'owner', isScored: false } } as const;
    const before = { ...fromStrava, ...uncounted };
    given(loggedEvent(before))
      .when(count(null))
      .then(correctedEvent(before, { ...fromStrava, centimiles: 0 }));
    const consented = { ...fromStrava, import: { ...fromStrava.import, isScored: true } };
    given(loggedEvent({ ...consented, ...uncounted }))
      .when(count(null))
      .then(correctedEvent(uncounted, consented));
  });

  test('[D8 D25] that is gone, or never was, is decided no more', () => {
    const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = log;
    const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
    const removed: MovementEvent = { type: 'MovementRemoved', data: { ...figures, removedAt: at.toISOString() } };
    given(loggedEvent(), removed).when(count(byStrava)).thenNothing();
    given().when(count(byStrava)).thenNothing();
  });

  test('[D4 D25] is decided for its own member', () => {
    given(loggedEvent())
      .when({ ...count(byStrava), userId: omar })
      .rejects('movement/not-found', 'not-found');
  });

  test('[D8 D25] stays without miles when it is corrected', () => {
    const correct = { type: 'CorrectMovement', userId: maya, isOtherActivity: false, changesTexts: false } as const;
    given(loggedEvent(uncounted))
      .when({ ...correct, durationMinutes: 60 })
      .then(correctedEvent(uncounted, { ...uncounted, durationMinutes: 60 }));
  });
});

describe('a log that is made beside another recording of the same workout', () => {
  const log30: LogMovement = {
    type: 'LogMovement',
    logId: log.logId,
    userId: maya,
    teamId: log.teamId,
    timeZone: log.timeZone,
    activity: 'Walking',
    durationMinutes: 30,
    source: 'manual',
    startedAt: new Date(log.startedAt),
    coveredMiles: undefined,
    notCounted: null,
    reach: 'week',
  };
  const loggedAt = new Date(log.loggedAt);

  test('[D25] earns nothing, not even by a bonus challenge, and says why', () => {
    given()
      .when({ ...log30, notCounted: byStrava, bonus }, { at: loggedAt })
      .then(loggedEvent(uncounted));
    given()
      .when({ ...log30, bonus }, { at: loggedAt })
      .then(loggedEvent({ centimiles: 600, multiplier: 2, bonus }));
  });
});

describe('the word of a member on whether a log counts', () => {
  const say = (override?: boolean | null): CorrectMovement => ({
    type: 'CorrectMovement',
    userId: maya,
    isOtherActivity: false,
    changesTexts: false,
    override,
  });

  test('[D25] is kept with the log', () => {
    given(loggedEvent())
      .when(say(true))
      .then(correctedEvent({}, { override: true }));
    given(loggedEvent())
      .when(say(false))
      .then(correctedEvent({}, { override: false }));
    given(loggedEvent({ override: true }))
      .when(say(false))
      .then(correctedEvent({}, { override: false }));
  });

  test('[D25] can be taken back', () => {
    given(loggedEvent({ override: true }))
      .when(say(null))
      .then(correctedEvent({}, {}));
    given(loggedEvent()).when(say(null)).thenNothing();
  });

  test('[D25] stays when something else is corrected, and said again changes nothing', () => {
    given(loggedEvent({ override: true }))
      .when({ ...say(), durationMinutes: 60 })
      .then(correctedEvent({}, { override: true, durationMinutes: 60, centimiles: 600 }));
    given(loggedEvent({ override: false }))
      .when(say(false))
      .thenNothing();
    given(loggedEvent({ override: false }))
      .when(say())
      .thenNothing();
  });
});

describe('a workout that is imported beside another recording', () => {
  const loggedAt = new Date(log.loggedAt);
  const importing: ImportMovement = {
    type: 'ImportMovement',
    logId: log.logId,
    userId: maya,
    teamId: log.teamId,
    timeZone: log.timeZone,
    revision: 1,
    source: 'fitbit',
    activity: 'Walking',
    durationMinutes: 30,
    startedAt: new Date(log.startedAt),
    coveredMeters: null,
    audience: 'organisation',
    isScored: true,
    importedAt: loggedAt,
    creditableAt: loggedAt,
    countsBeside: false,
    notCounted: null,
  };
  const fromFitbit = { source: 'fitbit', import: { revision: 1, audience: 'organisation', isScored: true } } as const;

  test('[D25] earns nothing where the other one counts', () => {
    given()
      .when({ ...importing, notCounted: byStrava })
      .then(loggedEvent({ ...fromFitbit, ...uncounted }));
    given().when(importing).then(loggedEvent(fromFitbit));
  });

  test('[D25] keeps the word of its member that it counts beside', () => {
    given()
      .when({ ...importing, countsBeside: true })
      .then(loggedEvent({ ...fromFitbit, override: true }));
  });

  test('[D21 D25] says since when it could be credited, where that is not when it was logged', () => {
    const creditableAt = new Date('2026-11-17T08:00:00.000Z');
    given()
      .when({ ...importing, creditableAt })
      .then(loggedEvent({ ...fromFitbit, import: { ...fromFitbit.import, creditableAt: creditableAt.toISOString() } }));
  });

  test('[I7] never replaces a log that was made by hand', () => {
    given(loggedEvent())
      .when({ ...importing, revision: 9 })
      .thenNothing();
  });
});
