import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, saw, sources, World } from '../testing/imports-world.ts';

const [onStrava, onFitbit] = [saw('strava', 1, {}, 's'), saw('fitbit', 2, { startedAt: at(-55) }, 'f')];
const both = () => new World().see(onStrava, onFitbit);

describe('[D8] a workout whose log was deleted by hand', () => {
  test('is told to nobody again, whatever its platform says of it, and nothing is retracted that is gone', () => {
    const world = new World().see(onStrava);
    world.deletes('s')();
    expect(world.stateOf).toEqual({ s: 'removed' });
    world.see(saw('strava', 3, { durationMinutes: 50 }, 's'), saw('strava', 4, 'gone', 's'), saw('strava', 5, {}, 's'));
    expect([world.stateOf, world.logs, world.tellings.length]).toEqual([{ s: 'removed' }, [], 1]);
  });

  test('[D21] is not scored again by a consent either', () => {
    const world = new World({ strava: { ...sources.strava, isScored: false } }).see(onStrava);
    world.deletes('s')();
    world.settle(world.imports.map((one) => ({ ...one, isScored: true })));
    expect([world.stateOf, world.logs]).toEqual([{ s: 'removed' }, []]);
  });

  test('counts again as one other log when its member says so, however often that and the deletion are told', () => {
    const world = new World().see(onStrava);
    const isHeard = world.deletes('s');
    isHeard();
    world.says('s', true).says('s', true);
    isHeard();
    expect([world.stateOf, world.logs.length]).toEqual([{ s: 'counted' }, 1]);
    world.deletes('s')();
    isHeard();
    expect([world.stateOf, world.logs]).toEqual([{ s: 'removed' }, []]);
  });

  test('is left as it is by the word that it does not count', () => {
    const world = new World().see(onStrava);
    world.deletes('s')();
    expect(world.says('s', false).stateOf).toEqual({ s: 'removed' });
  });

  test('is told by the history once, of the platform that brings it later', () => {
    const world = new World().see(onStrava);
    world.deletes('s')();
    const before = world.imports;
    world.see(onFitbit);
    expect(world.stateOf).toEqual({ s: 'removed', f: 'removed' });
    expect(world.countsSince(before).skipped).toEqual({ removed: 1 });
    expect(world.countsSince(world.imports).skipped).toEqual({});
  });
});

describe('[D25] the same workout of another platform', () => {
  test('does not begin to count in the place of what was deleted by hand, whichever came first', () => {
    const early = new World().see(onStrava);
    early.deletes('s')();
    const late = both();
    late.deletes('f')();
    for (const world of [early.see(onFitbit), late])
      expect([world.stateOf, world.logs]).toEqual([{ s: 'removed', f: 'removed' }, []]);
  });

  test('nor once the other one is gone there, or has left with all that came from it', () => {
    const gone = both();
    gone.deletes('f')();
    gone.see(saw('fitbit', 3, 'gone', 'f'), saw('strava', 4, { durationMinutes: 31 }, 's'));
    expect([gone.stateOf, gone.logs]).toEqual([{ s: 'removed', f: 'gone' }, []]);
    const left = both();
    left.deletes('f')();
    expect([left.leaves('fitbit').stateOf, left.logs]).toEqual([{ s: 'removed' }, []]);
    expect(left.see(onFitbit).stateOf).toEqual({ s: 'removed', f: 'removed' });
  });

  test('is one log again, whichever of the two its member lets count', () => {
    for (const id of ['s', 'f']) {
      const world = both();
      world.deletes('f')();
      expect(world.says(id, true).stateOf).toEqual({ s: 'duplicate', f: 'counted' });
      expect(world.logs).toHaveLength(1);
    }
  });

  test('goes on counting where its member had said that it is another one, from both sides', () => {
    for (const [deleted, kept] of [
      ['s', 'f'],
      ['f', 's'],
    ] as const) {
      const world = both().says('s', true);
      world.deletes(deleted)();
      expect(world.stateOf).toEqual({ [deleted]: 'removed', [kept]: 'counted' });
      expect(world.says(deleted, true).stateOf).toEqual({ s: 'counted', f: 'counted' });
    }
  });

  test('is taken back where the deletion is heard of only after the other one was retracted for it', () => {
    const world = new World().see(onStrava);
    const isHeard = world.deletes('s');
    world.see(onFitbit);
    expect(world.stateOf).toEqual({ s: 'duplicate', f: 'counted' });
    isHeard();
    expect([isHeard().stateOf, world.logs]).toEqual([{ s: 'removed', f: 'removed' }, []]);
  });

  test('another workout of that day counts', () => {
    const world = new World().see(onStrava);
    world.deletes('s')();
    world.see(saw('fitbit', 3, { startedAt: at(-25) }, 'f'), saw('strava', 3, { startedAt: at(-20) }, 't'));
    expect(world.stateOf).toEqual({ s: 'removed', f: 'counted', t: 'duplicate' });
  });
});

const anyNews = fc.array(
  fc.record({
    provider: fc.constantFrom('strava' as const, 'fitbit' as const),
    id: fc.constantFrom('1', '2'),
    begun: fc.integer({ min: -90, max: -60 }),
    minutes: fc.integer({ min: 10, max: 60 }),
    isGone: fc.boolean(),
  }),
  { maxLength: 10 },
);

test('[F09 I7] a deletion is heard of among any news, and twice: nothing that is the same counts, and all orders end alike', () => {
  const stories = anyNews.chain((all) => {
    const told = all.map(({ provider, id, begun, minutes, isGone }, nth) =>
      saw(provider, nth + 2, isGone ? 'gone' : { startedAt: at(begun), durationMinutes: minutes }, `${provider}-${id}`),
    );
    const steps = [...told, ...told, 'deletion', 'deletion'] as const;
    return fc.record({ told: fc.constant(told), order: fc.shuffledSubarray([...steps], { minLength: steps.length }) });
  });
  const begun = () => {
    const world = new World().see(saw('strava', 1, { startedAt: at(-80) }, 'strava-1'));
    return { world, isHeard: world.deletes('strava-1') };
  };
  fc.assert(
    fc.property(stories, ({ told, order }) => {
      const [ordered, other] = [begun(), begun()];
      ordered.isHeard().see(...told);
      for (const step of order) {
        if (step === 'deletion') other.isHeard();
        else other.world.see(step);
      }
      expect(other.world.states).toEqual(ordered.world.states);
      expect(other.world.logs).toEqual(ordered.world.logs);
      expect(other.world.stateOf['strava-1']).toMatch(/^(removed|gone)$/);
      const counted = other.world.states.filter(({ state }) => state === 'counted');
      expect(other.world.logs).toEqual(counted.map(({ content }) => content).sort());
    }),
    { numRuns: 300 },
  );
});
