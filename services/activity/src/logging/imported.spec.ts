import { fold } from '@caravan/event-store/core/decider';
import { specOf } from '@caravan/event-store/testing/given-when-then';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportMovement, originOf, type RetractMovement } from './imported.ts';
import { movement } from './movement.ts';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';

const maya = '019a8c10-0000-7000-8000-000000000031';
const omar = '019a8c10-0000-7000-8000-000000000032';
const at = new Date('2026-11-17T09:00:00.000Z');
const command: ImportMovement = {
  type: 'ImportMovement',
  logId: '019a8c10-0000-7000-8000-000000000071',
  userId: maya,
  teamId: '019a8c10-0000-7000-8000-000000000021',
  timeZone: 'Europe/Berlin',
  revision: 1,
  source: 'strava',
  activity: 'Running',
  durationMinutes: 7,
  startedAt: new Date('2026-10-20T22:30:00.000Z'),
  coveredMeters: 5210,
  audience: 'owner',
  isScored: true,
  importedAt: new Date('2026-11-16T17:45:00.000Z'),
  creditableAt: new Date('2026-11-16T17:45:00.000Z'),
  countsBeside: false,
  notCounted: null,
};
const log: LoggedMovement = {
  logId: command.logId,
  userId: maya,
  teamId: command.teamId,
  timeZone: 'Europe/Berlin',
  source: 'strava',
  activity: 'Running',
  durationMinutes: 7,
  centimiles: 70,
  multiplier: 1,
  coveredCentimiles: null,
  startedAt: '2026-10-20T22:30:00.000Z',
  loggedAt: '2026-11-16T17:45:00.000Z',
  loggedOn: '2026-10-21',
  import: { revision: 1, audience: 'owner', isScored: true },
};
const logged: MovementEvent = { type: 'MovementLogged', data: log };
const retract: RetractMovement = { type: 'RetractMovement', logId: command.logId, userId: maya };
const correctedEvent = (changes: Partial<LoggedMovement>, rest: object = {}): MovementEvent => ({
  type: 'MovementCorrected',
  data: {
    ...log,
    ...changes,
    revision: 2,
    correctedAt: at.toISOString(),
    previous: { durationMinutes: 7, centimiles: 70, loggedOn: '2026-10-21' },
    ...rest,
  },
});
const removed: MovementEvent = {
  type: 'MovementRemoved',
  data: {
    logId: command.logId,
    userId: maya,
    teamId: command.teamId,
    durationMinutes: 7,
    centimiles: 70,
    startedAt: log.startedAt,
    loggedOn: log.loggedOn,
    removedAt: at.toISOString(),
  },
};
const given = specOf(movement, { by: null, at });
const dataOf = (changes: Partial<ImportMovement>) =>
  movement.decide({ ...command, ...changes }, movement.initial, { by: null, orgId: 'org', at })[0]
    ?.data as LoggedMovement;

describe('a workout that is imported', () => {
  test('[D6 D10 D21] is logged for the team and the local day of its member, however short and old it is', () => {
    given().when(command).then(logged);
  });

  test('[D21] earns nothing without the consent to be scored', () => {
    expect(dataOf({ isScored: false })).toMatchObject({ centimiles: 0, durationMinutes: 7, multiplier: 1 });
  });

  test('[D21] keeps the distance that was measured where others may see it, and only there', () => {
    expect(dataOf({ audience: 'organisation' }).coveredCentimiles).toBe(324);
    expect(dataOf({ audience: 'organisation', coveredMeters: null }).coveredCentimiles).toBeNull();
    expect(dataOf({}).coveredCentimiles).toBeNull();
  });

  test('[D6] begins no later than it was imported, whatever the clock of the platform says', () => {
    const ahead = new Date(command.importedAt.getTime() + 5 * 60_000);
    expect(dataOf({ startedAt: ahead }).startedAt).toBe(command.importedAt.toISOString());
  });

  test('[I7 F09] that is told again, or in an older revision, changes nothing', () => {
    given(logged).when(command).thenNothing();
    const second = correctedEvent({ durationMinutes: 20, import: { revision: 3, audience: 'owner', isScored: true } });
    given(logged, second)
      .when({ ...command, revision: 2 })
      .thenNothing();
    given(logged, second)
      .when({ ...command, revision: 3 })
      .thenNothing();
  });

  test('[D8 F09] is replaced whole by a later revision; team, zone and the moment of the import stay', () => {
    given(logged)
      .when({
        ...command,
        revision: 2,
        activity: 'Hiking',
        durationMinutes: 40,
        timeZone: 'Asia/Tokyo',
        teamId: omar,
        startedAt: new Date('2026-10-21T08:00:00.000Z'),
        importedAt: at,
      })
      .then(
        correctedEvent({
          activity: 'Hiking',
          durationMinutes: 40,
          centimiles: 400,
          startedAt: '2026-10-21T08:00:00.000Z',
          import: { revision: 2, audience: 'owner', isScored: true },
        }),
      );
  });

  test.each([
    [true, false, 0],
    [false, true, 70],
  ])('[D21] follows a change of consent from %j to %j as a correction', (before, isScored, centimiles) => {
    const was = before ? 70 : 0;
    const first: MovementEvent = {
      type: 'MovementLogged',
      data: { ...log, centimiles: was, import: { revision: 1, audience: 'owner', isScored: before } },
    };
    given(first)
      .when({ ...command, revision: 2, isScored })
      .then(
        correctedEvent(
          { centimiles, import: { revision: 2, audience: 'owner', isScored } },
          { previous: { durationMinutes: 7, centimiles: was, loggedOn: '2026-10-21' } },
        ),
      );
  });
});

test.each([
  ['strava', { isImported: true, importSource: 'strava' }],
  ['fitbit', { isImported: true, importSource: 'fitbit' }],
  ['timer', { isImported: false, importSource: null }],
  ['manual', { isImported: false, importSource: null }],
] as const)('[3.10] an answer says of a log by %s whether it was imported', (source, origin) => {
  expect(originOf(source)).toEqual({ source, ...origin });
});

describe('a workout that is retracted', () => {
  test('[D24 D25] goes with what it earned, however old it is, and never comes again', () => {
    const later = specOf(movement, { by: null, at: new Date('2027-06-01T00:00:00.000Z') });
    given(logged).when(retract).then(removed);
    later(logged)
      .when(retract)
      .then({ ...removed, data: { ...removed.data, removedAt: '2027-06-01T00:00:00.000Z' } });
    given(logged, removed).when(retract).thenNothing();
    given(logged, removed)
      .when({ ...command, revision: 9 })
      .thenNothing();
  });

  test('[F09] before it was imported leaves word of that', () => {
    const data = { logId: command.logId, userId: maya, forestalledAt: at.toISOString() };
    const forestalled: MovementEvent = { type: 'MovementForestalled', data };
    given().when(retract).then(forestalled);
    given(forestalled).when(command).thenNothing();
    given(forestalled).when(retract).thenNothing();
  });
});

describe('the owner of an imported log', () => {
  test('[D8 3.10] cannot correct it by hand: the next revision would undo that', () => {
    const correct = { type: 'CorrectMovement', userId: maya, isOtherActivity: false, changesTexts: true } as const;
    given(logged).when(correct).rejects('movement/imported', 'conflict');
  });

  test('[D8] can remove it, and it stays away', () => {
    given(logged).when({ type: 'RemoveMovement', userId: maya }).then(removed);
    given(logged, removed)
      .when({ ...command, revision: 2 })
      .thenNothing();
  });

  test('[S18] is nobody else', () => {
    for (const strange of [{ ...command, revision: 2 }, retract])
      given(logged)
        .when({ ...strange, userId: omar })
        .rejects('movement/not-found', 'not-found');
  });
});

test('[F09 I7] whatever comes, twice and in any order, the highest revision stands, and nothing once it was retracted', () => {
  const news = fc.oneof(
    { weight: 9, arbitrary: fc.record({ revision: fc.integer({ min: 1, max: 9 }), isScored: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  fc.assert(
    fc.property(fc.array(news, { maxLength: 12 }), (all) => {
      const told = all.map(
        (one) => one && { ...one, durationMinutes: one.revision * 10, isScored: one.revision % 2 === 0 },
      );
      const events: MovementEvent[] = [];
      for (const one of told.flatMap((each) => [each, each]))
        events.push(
          ...movement.decide(one ? { ...command, ...one } : retract, fold(movement, events), {
            by: null,
            orgId: 'org',
            at,
          }),
        );
      const state = fold(movement, events);
      if (told.includes(null)) expect(state.is).toBe('removed');
      else {
        const highest = Math.max(0, ...told.map((one) => one?.revision ?? 0));
        expect(state.is).toBe(highest === 0 ? 'absent' : 'live');
        const expected = highest % 2 === 0 ? highest * 100 : 0;
        if (state.is === 'live')
          expect([state.log.import?.revision, state.log.centimiles]).toEqual([highest, expected]);
      }
    }),
    { numRuns: 1_000 },
  );
});
