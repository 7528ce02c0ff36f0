import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Workout } from '../providers/provider.ts';
import { at, connectedAt, type From, saw, sources, World } from '../testing/imports-world.ts';
import { mergeImport } from './import.ts';
import { seenWorkout } from './workout.ts';

describe('a workout that is seen again', () => {
  test('[F09] is what it was when it was asked for last, whatever comes first', () => {
    const first = saw('strava', 1, {});
    const changed = saw('strava', 2, { durationMinutes: 45 });
    const gone = saw('strava', 3, 'gone');
    expect(new World().see(changed, first).logs).toEqual([expect.stringContaining('"durationMinutes":45')]);
    expect(new World().see(gone, changed, first).logs).toEqual([]);
    expect(new World().see(first, changed, gone).stateOf).toEqual({ 1: 'gone' });
    expect(new World().see(gone, saw('strava', 4, {})).stateOf).toEqual({ 1: 'counted' });
  });

  test('[D25] could be credited since it was seen first, whatever is heard first', () => {
    const sinceOf = (...all: readonly From[]) => new World().see(...all).imports[0]?.creditableAt;
    const first = saw('strava', 1, {});
    const second = saw('strava', 2, { durationMinutes: 45 });
    expect([sinceOf(first, second), sinceOf(second, first), sinceOf(second)]).toEqual([at(1), at(1), at(2)]);
  });

  test('[F08] is kept as one that nobody was told of, and that its member has said nothing of', () => {
    const [one] = mergeImport([], [seenWorkout(saw('strava', 1, {}), connectedAt)], {
      source: sources.strava,
      newId: () => 'id',
    });
    const nothing = { logId: null, revision: 0, content: null };
    expect(one).toMatchObject({ importId: 'id', override: null, state: 'gone', sameAs: null, told: nothing });
    expect([one?.formerLogIds, one?.removedAt]).toEqual([[], null]);
  });

  test('[F08] tells nothing that was told', () => {
    const world = new World().see(saw('strava', 1, {}), saw('strava', 1, {}), saw('strava', 2, {}));
    expect(world.tellings).toHaveLength(1);
  });

  test('asked for at the same moment, it is what changed later, and gone rather than there', () => {
    const old = saw('fitbit', 1, { changedAt: at(-9), durationMinutes: 20 });
    const young = saw('fitbit', 1, { changedAt: at(-8), durationMinutes: 10 });
    const gone = saw('strava', 1, 'gone');
    for (const order of [
      [old, young],
      [young, old],
    ])
      expect(new World().see(...order).logs).toEqual([expect.stringContaining('"durationMinutes":10')]);
    expect(new World().see(saw('strava', 1, {}), gone).stateOf).toEqual({ 1: 'gone' });
    expect(new World().see(gone, saw('strava', 1, {})).stateOf).toEqual({ 1: 'gone' });
  });

  test('it counts as another log once it had ended', () => {
    const world = new World().see(saw('strava', 1, {}), saw('strava', 2, 'gone'), saw('strava', 3, {}));
    const told = world.tellings.flatMap((one) => (one.is === 'imported' ? one.told.logId : []));
    expect(new Set(told).size).toBe(2);
    expect(world.logs).toHaveLength(1);
  });
});

describe('what cannot count', () => {
  test.each([
    ['[D6] of less than a minute', { durationMinutes: 0.9 }, 'too-short'],
    ['begun more than 30 days before the account was connected', { startedAt: at(-30 * 1_440 - 1) }, 'too-old'],
    ['begun more than ten minutes from now', { startedAt: at(12) }, 'in-future'],
    ['without a time', { startedAt: new Date(Number.NaN) }, 'unreadable'],
    ['without a duration', { durationMinutes: Number.NaN }, 'unreadable'],
  ] as const)('is a workout %s', (_, differing, why) => {
    const world = new World().see(saw('strava', 1, differing));
    expect(world.imports).toMatchObject([{ state: 'skipped', judged: { why }, told: { logId: null } }]);
    expect(world.tellings).toEqual([]);
  });

  test.each([
    ['[D6] one of a minute', { durationMinutes: 1 }, { durationMinutes: 1 }],
    ['one of more than a day, which is cut', { durationMinutes: 3_000 }, { durationMinutes: 1_440 }],
    ['one of 30 days before', { startedAt: at(-30 * 1_440) }, {}],
    ['one of a clock ten minutes ahead', { startedAt: at(11) }, {}],
    ['one without a name', { activityType: ' \u0000\n ' }, { activityType: 'Workout' }],
    ['one with a long name', { activityType: '𝒓'.repeat(80) }, { activityType: '𝒓'.repeat(60) }],
  ])('is not %s', (_, differing, told) => {
    const [telling] = new World().see(saw('strava', 1, differing)).tellings;
    expect(telling).toMatchObject({ is: 'imported', content: told });
  });

  test('[D21] what only its owner may see is told without figures, for what is told stays', () => {
    const tellingsOf = (provider: From['provider'], differing = {}) =>
      new World().see(saw(provider, 1, differing)).tellings.map((one) => one.is === 'imported' && one.content);
    const nothing = { meters: null, heartRate: null, calories: null };
    expect(tellingsOf('strava')).toMatchObject([nothing]);
    expect(tellingsOf('fitbit')).toMatchObject([{ meters: 5_000, heartRate: 140, calories: 300 }]);
    expect(tellingsOf('fitbit', { meters: null, heartRate: 0, calories: -3 })).toMatchObject([nothing]);
  });

  test('[D21] one that is gone at its platform is retracted with that platform, and whether it earned', () => {
    const retractions = (isScored: boolean) => {
      const from = { ...sources, strava: { ...sources.strava, isScored } };
      return new World(from).see(saw('strava', 1, {}), saw('strava', 2, 'gone')).tellings.at(-1);
    };
    expect(retractions(true)).toMatchObject({ why: 'deleted', goneAt: { platform: 'strava', isScored: true } });
    expect(retractions(false)).toMatchObject({ why: 'deleted', goneAt: { platform: 'strava', isScored: false } });
  });

  test('what can count no longer is taken back', () => {
    const world = new World().see(saw('strava', 1, {}), saw('strava', 2, { durationMinutes: 0 }));
    expect(world.tellings.at(-1)).toMatchObject({ is: 'retracted', why: 'deleted' });
    expect(world.tellings.at(-1)).not.toHaveProperty('goneAt');
  });
});

describe('[D25] the same workout of two platforms', () => {
  const onStrava = saw('strava', 1, {}, 's');
  const onFitbit = saw('fitbit', 2, { startedAt: at(-55) }, 'f');

  test('counts once, where others may see it', () => {
    for (const order of [
      [onStrava, onFitbit],
      [onFitbit, onStrava],
    ]) {
      const world = new World().see(...order);
      expect(world.stateOf).toEqual({ s: 'duplicate', f: 'counted' });
      expect(world.logs).toEqual([expect.stringContaining('"source":"fitbit"')]);
    }
  });

  test('counts where it earns, though nobody else may see it', () => {
    const unscored = { ...sources, fitbit: { ...sources.fitbit, isScored: false } };
    expect(new World(unscored).see(onFitbit, onStrava).stateOf).toEqual({ s: 'counted', f: 'duplicate' });
  });

  test('ends to count there before it begins to here', () => {
    const told = new World().see(onStrava, onFitbit).tellings.map(({ is }) => is);
    expect(told).toEqual(['imported', 'retracted', 'imported']);
  });

  test('counts for the other one once the one is gone', () => {
    const world = new World().see(onStrava, onFitbit, saw('fitbit', 3, 'gone', 'f'));
    expect(world.stateOf).toEqual({ s: 'counted', f: 'gone' });
    // Nothing is lost, so its member is not notified of a loss.
    expect(world.tellings.at(-2)).not.toHaveProperty('goneAt');
  });

  test.each([
    ['one platform tells of two', saw('strava', 2, {}, 'f')],
    ['less than half of it is at the same time', saw('fitbit', 2, { startedAt: at(-44) }, 'f')],
    ['one took more than one and a half times as long', saw('fitbit', 2, { durationMinutes: 46 }, 'f')],
  ])('is none where %s', (_, other) => {
    expect(new World().see(onStrava, other).stateOf).toEqual({ s: 'counted', f: 'counted' });
  });

  test('counts twice where its member says that it is not the same, and once when they take it back', () => {
    const world = new World().see(onStrava, onFitbit).says('s', true);
    expect(world.stateOf).toEqual({ s: 'counted', f: 'counted' });
    expect(world.says('s', true).imports.find(({ externalId }) => externalId === 's')?.override).toBe(true);
    world.says('s', false);
    expect(world.stateOf).toEqual({ s: 'duplicate', f: 'counted' });
    expect(world.imports.map(({ override }) => override)).toEqual([null, null]);
  });

  test('counts for the other one where its member says that this one does not', () => {
    expect(new World().see(onStrava, onFitbit).says('f', false).stateOf).toEqual({ s: 'counted', f: 'duplicate' });
  });
});

test('[D21] what its owner has not consented to be scored by is told, and earns nothing', () => {
  const world = new World({ strava: { ...sources.strava, isScored: false } }).see(saw('strava', 1, {}));
  expect(world.stateOf).toEqual({ 1: 'unscored' });
  expect(world.tellings).toMatchObject([{ is: 'imported', content: { isScored: false, audience: 'owner' } }]);
});

test('the history tells of what was skipped once', () => {
  const world = new World();
  const look = (minute: number, id: string, one: Partial<Workout>) => {
    const news = [seenWorkout(saw('strava', minute, one, id), connectedAt)];
    return world.settle(mergeImport(world.imports, news, { source: sources.strava, newId: () => id }));
  };
  const none = { imported: 0, updated: 0, removed: 0, skipped: {} };
  expect(look(1, 'a', { durationMinutes: 0 })).toEqual({ ...none, skipped: { 'too-short': 1 } });
  expect(look(2, 'a', { durationMinutes: 0 })).toEqual(none);
  expect(look(3, 'a', { durationMinutes: 9 })).toEqual({ ...none, imported: 1 });
  expect(look(4, 'a', { durationMinutes: 8 })).toEqual({ ...none, updated: 1 });
  expect(look(5, 'a', { durationMinutes: 0 })).toEqual({ ...none, removed: 1, skipped: { 'too-short': 1 } });
});

test('the history tells of a workout that is skipped for another reason than before', () => {
  const world = new World();
  const look = (minute: number, ...all: readonly From[]) => {
    const news = all.map((one) => seenWorkout({ ...one, seenAt: at(minute) }, connectedAt));
    return world.settle(
      mergeImport(world.imports, news, { source: sources.fitbit, newId: () => `${world.imports.length}` }),
    );
  };
  const short = saw('fitbit', 1, { durationMinutes: 0 }, 'a');
  const other = saw('fitbit', 1, { durationMinutes: 0 }, 'b');
  expect(look(1, short).skipped).toEqual({ 'too-short': 1 });
  expect(look(2, saw('fitbit', 2, { startedAt: at(-50_000) }, 'a')).skipped).toEqual({ 'too-old': 1 });
  expect(look(3, short).skipped).toEqual({ 'too-short': 1 });
  expect(look(4, other).skipped).toEqual({ 'too-short': 1 });
});

test('[D8 D25] the history tells of duplicates and of what was deleted by hand once, however many there are', () => {
  const onStrava = saw('strava', 1, {}, 's');
  const onFitbit = saw('fitbit', 2, { startedAt: at(-55) }, 'f');
  const later = [saw('strava', 1, { startedAt: at(-300) }, 't'), saw('fitbit', 2, { startedAt: at(-300) }, 'g')];
  const world = new World().see(onStrava, onFitbit, ...later);
  expect(world.countsSince([]).skipped).toEqual({ duplicate: 2 });
  expect(world.countsSince(world.imports).skipped).toEqual({});
  const before = world.imports;
  world.deletes('f')();
  expect(world.countsSince(before).skipped).toEqual({ removed: 1 });
  expect(world.countsSince(world.imports).skipped).toEqual({});
});

const anyNews = fc.array(
  fc.record({
    provider: fc.constantFrom('strava', 'fitbit'),
    id: fc.constantFrom('1', '2', '3'),
    begun: fc.integer({ min: -90, max: 15 }),
    minutes: fc.integer({ min: 0, max: 60 }),
    isGone: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
);

test('[F09 I7] a thousand shuffles of new, changed, deleted and doubled ones end like the ordered run', () => {
  const shuffles = anyNews.chain((all) => {
    const told = all.map(({ provider, id, begun, minutes, isGone }, nth) =>
      saw(provider, nth, isGone ? 'gone' : { startedAt: at(begun), durationMinutes: minutes }, `${provider}-${id}`),
    );
    const doubled = [...told, ...told];
    return fc.record({
      told: fc.constant(told),
      shuffled: fc.shuffledSubarray(doubled, { minLength: doubled.length }),
    });
  });
  fc.assert(
    fc.property(shuffles, ({ told, shuffled }) => {
      const ordered = new World().see(...told);
      const other = new World().see(...shuffled);
      expect(other.states).toEqual(ordered.states);
      expect(other.logs).toEqual(ordered.logs);
      const counted = other.states.filter(({ state }) => state === 'counted');
      expect(other.logs).toEqual(counted.map(({ content }) => content).sort());
    }),
    { numRuns: 1_000 },
  );
});
