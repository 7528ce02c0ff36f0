import fc from 'fast-check';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { describe, expect, test } from 'vitest';
import { at, saw, sources, World } from '../testing/imports-world.ts';
import { overridden, importsAfterRemoval } from './own-word.ts';

const onStrava = saw('strava', 1, {}, 's');
const onFitbit = saw('fitbit', 2, { startedAt: at(-55) }, 'f');
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
});

describe('[D8] the deletion of a log', () => {
  const formerly = () => {
    const [known] = new World().see(onStrava).imports;
    if (!known) throw new Error('one import');
    return { ...known, formerLogIds: ['before', 'long-before'] };
  };

  test('is heard of once: the second time the log is not deleted anew', () => {
    const once = importsAfterRemoval([formerly()], 'before', at(5));
    expect(once).toEqual([{ ...formerly(), formerLogIds: ['long-before'], removedAt: at(5) }]);
    expect(importsAfterRemoval(once, 'before', at(9))).toEqual(once);
  });

  test('concerns the import that it was, and no other', () => {
    const former = formerly();
    expect(importsAfterRemoval([former], 'elsewhere', at(5))).toEqual([former]);
    const isNow = importsAfterRemoval([former], former.told.logId ?? '', at(5));
    expect(isNow).toMatchObject([{ told: { logId: null }, formerLogIds: ['before', 'long-before'] }]);
  });

  test('matters no more for logs of before once the import counts again', () => {
    const former = formerly();
    const importId = formerly().importId;
    const [gone] = importsAfterRemoval([former], 'before', at(5));
    const [again] = overridden(gone ? [gone] : [], [], { importId, counts: true });
    expect([again?.removedAt, again?.formerLogIds]).toEqual([null, []]);
    const [kept] = overridden([former], [], { importId, counts: false });
    expect(kept?.formerLogIds).toEqual(former.formerLogIds);
  });

  test('is not undone by a word on an import that is unknown', () => {
    const former = formerly();
    expect(overridden([former], [], { importId: 'unknown', counts: true })).toEqual([former]);
  });
});

describe('[D25] the same workout of another platform', () => {
  test('takes the place of what was deleted by hand, whichever came first', () => {
    const early = new World().see(onStrava);
    early.deletes('s')();
    expect(early.see(onFitbit).stateOf).toEqual({ s: 'removed', f: 'counted' });
    const late = both();
    late.deletes('f')();
    expect(late.stateOf).toEqual({ s: 'counted', f: 'removed' });
    expect(late.logs).toEqual([expect.stringContaining('"source":"strava"')]);
  });

  test('is no log either once its member has deleted that too', () => {
    const world = both();
    world.deletes('f')();
    world.deletes('s')();
    expect([world.stateOf, world.logs]).toEqual([{ s: 'removed', f: 'removed' }, []]);
  });

  test('takes the place of one that left with all that came from its platform', () => {
    expect(both().leaves('fitbit').stateOf).toEqual({ s: 'counted' });
  });

  test('is one log again when its member lets the deleted one count', () => {
    const world = both();
    world.deletes('f')();
    expect(world.says('f', true).stateOf).toEqual({ s: 'duplicate', f: 'counted' });
    expect(world.logs).toHaveLength(1);
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

  test('goes on counting where the deletion of the other one is heard of late', () => {
    const world = new World().see(onStrava);
    const isHeard = world.deletes('s');
    world.see(onFitbit);
    expect(world.stateOf).toEqual({ s: 'duplicate', f: 'counted' });
    isHeard();
    expect(isHeard().stateOf).toEqual({ s: 'removed', f: 'counted' });
    expect(world.logs).toEqual([expect.stringContaining('"source":"fitbit"')]);
  });
});

describe('[D25] the same workout of a platform and of the timer', () => {
  const timedLog = (differing: Partial<Recording> = {}): Recording => ({
    id: 'log',
    source: 'timer',
    startedAt: at(-60),
    durationMinutes: 30,
    audience: 'organisation',
    isScored: true,
    creditableAt: at(0),
    override: null,
    ...differing,
  });

  test('counts by the timer where the platform shows it to its owner alone, whichever came first', () => {
    for (const world of [new World().has(timedLog()).see(onStrava), new World().see(onStrava).has(timedLog())]) {
      expect(world.states).toMatchObject([{ state: 'duplicate', content: null }]);
      expect(world.imports[0]?.sameAs).toBe('log');
      expect(world.logs).toEqual([]);
    }
  });

  test('counts by what was credited first where colleagues may see both', () => {
    const late = timedLog({ creditableAt: at(9) });
    expect(new World().see(onFitbit).has(late).stateOf).toEqual({ f: 'counted' });
    expect(new World().see(onFitbit).has(timedLog()).stateOf).toEqual({ f: 'duplicate' });
  });

  test('counts by the timer where the platform had no consent to be scored until later', () => {
    const world = new World({ fitbit: { ...sources.fitbit, isScored: false } }).see(onFitbit);
    expect(world.has(timedLog({ creditableAt: at(9) })).stateOf).toEqual({ f: 'duplicate' });
  });

  test('counts by the platform once the log is gone, is another workout, or does not count by its member’s word', () => {
    const withLog = () => new World().has(timedLog()).see(onFitbit);
    for (const now of [[], [timedLog({ startedAt: at(-400) })], [timedLog({ override: false })]])
      expect(withLog().has(...now).stateOf).toEqual({ f: 'counted' });
  });

  test('counts twice where its member says so, and tells the log’s service that it counts beside', () => {
    const world = new World().has(timedLog()).see(onFitbit).says('f', true);
    expect(world.stateOf).toEqual({ f: 'counted' });
    expect(world.logs).toEqual([expect.stringContaining('"countsBeside":true')]);
    expect(world.says('f', false).stateOf).toEqual({ f: 'duplicate' });
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

test('[F09 I7] a deletion is heard of among any news, and twice: the deleted one never counts, and all orders end alike', () => {
  const stories = anyNews.chain((all) => {
    const told = all.map(({ provider, id, begun, minutes, isGone }, nth) =>
      saw(provider, nth + 2, isGone ? 'gone' : { startedAt: at(begun), durationMinutes: minutes }, `${provider}-${id}`),
    );
    const steps = [...told, ...told, 'deletion', 'deletion'] as const;
    return fc.record({ told: fc.constant(told), order: fc.shuffledSubarray([...steps], { minLength: steps.length }) });
  });
  const newWorld = () => {
    const world = new World().see(saw('strava', 1, { startedAt: at(-80) }, 'strava-1'));
    return { world, isHeard: world.deletes('strava-1') };
  };
  fc.assert(
    fc.property(stories, ({ told, order }) => {
      const ordered = newWorld();
      const other = newWorld();
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
