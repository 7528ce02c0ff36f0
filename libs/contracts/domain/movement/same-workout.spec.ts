import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areSameWorkout,
  decideWhatCounts,
  nearMilliseconds,
  overrideFor,
  reachMilliseconds,
  type Recording,
} from './same-workout.ts';

const morning = Date.parse('2026-11-16T08:00:00.000Z');
const at = (minute: number) => new Date(morning + minute * 60_000);
const walk = (differing: Partial<Recording> = {}): Recording => ({
  id: 'timer',
  source: 'timer',
  startedAt: at(0),
  durationMinutes: 30,
  audience: 'organisation',
  isScored: true,
  creditableAt: at(30),
  override: null,
  ...differing,
});
const onStrava = (differing: Partial<Recording> = {}) =>
  walk({ id: 'strava', source: 'strava', audience: 'owner', creditableAt: at(31), ...differing });
const onFitbit = (differing: Partial<Recording> = {}) =>
  walk({ id: 'fitbit', source: 'fitbit', creditableAt: at(32), ...differing });
const countingOf = (...all: readonly Recording[]) =>
  [...decideWhatCounts(all)]
    .filter(([, { counts }]) => counts)
    .map(([id]) => id)
    .toSorted();

describe('[D25] two recordings are the same workout', () => {
  test.each([
    ['at the same time', onStrava(), true],
    ['overlapping by half of the shorter one', onStrava({ startedAt: at(15) }), true],
    ['overlapping by less', onStrava({ startedAt: at(16) }), false],
    ['where the longer one is one and a half times the shorter', onStrava({ durationMinutes: 45 }), true],
    ['where it is longer', onStrava({ durationMinutes: 46 }), false],
    ['of one source', walk({ id: 'other' }), false],
    ['of the timer and by hand', walk({ id: 'manual', source: 'manual' }), true],
  ])('%s: the answer is the same from both sides', (_, other, isSame) => {
    expect([areSameWorkout(walk(), other), areSameWorkout(other, walk())]).toEqual([isSame, isSame]);
  });
});

describe('[D25] of the same workout', () => {
  test('the one that was credited first counts, and the other one names it', () => {
    const decisions = decideWhatCounts([onFitbit(), walk()]);
    expect(decisions.get('timer')).toEqual({ counts: true, sameAs: null });
    expect(decisions.get('fitbit')).toEqual({ counts: false, sameAs: 'timer' });
    expect(countingOf(onFitbit({ creditableAt: at(1) }), walk())).toEqual(['fitbit']);
  });

  test('[D21] one that colleagues may see goes before one that only its owner may see', () => {
    expect(countingOf(onStrava({ creditableAt: at(1) }), walk())).toEqual(['timer']);
  });

  test('[D21] one that earns goes before one without the consent to be scored', () => {
    expect(countingOf(onFitbit({ creditableAt: at(1), isScored: false }), walk())).toEqual(['timer']);
  });

  test('both count where the member says that they are two, and neither word says anything about a third', () => {
    expect(countingOf(walk(), onFitbit({ override: true }), onStrava())).toEqual(['fitbit', 'timer']);
    expect(countingOf(walk({ override: false }), onFitbit(), onStrava())).toEqual(['fitbit']);
  });

  test('a word that the rule says anyhow is not stored', () => {
    const both = [walk(), onFitbit()];
    expect(overrideFor(both, { id: 'fitbit', counts: false })).toBeNull();
    expect(overrideFor(both, { id: 'fitbit', counts: true })).toBe(true);
    expect(overrideFor(both, { id: 'timer', counts: false })).toBe(false);
  });

  test('a word is weighed against the rule as if it had not been said, and as if all other words had', () => {
    const saidSo = [walk(), onFitbit({ override: true })];
    expect(overrideFor(saidSo, { id: 'fitbit', counts: false })).toBeNull();
    expect(overrideFor(saidSo, { id: 'fitbit', counts: true })).toBe(true);
    expect(overrideFor([walk({ override: false }), onFitbit()], { id: 'fitbit', counts: true })).toBeNull();
  });

  test('a word on a recording that is not among them is stored as it was said', () => {
    for (const counts of [true, false]) expect(overrideFor([walk()], { id: 'elsewhere', counts })).toBe(counts);
  });
});

const anyRecordings = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    source: fc.constantFrom('timer' as const, 'manual' as const, 'strava' as const, 'fitbit' as const),
    startedAt: fc.integer({ min: 0, max: 90 }).map(at),
    durationMinutes: fc.integer({ min: 1, max: 60 }),
    audience: fc.constantFrom('organisation' as const, 'owner' as const),
    isScored: fc.boolean(),
    creditableAt: fc.integer({ min: 0, max: 5 }).map(at),
    override: fc.constantFrom(null, null, null, true, false),
  }),
  { maxLength: 9, selector: ({ id }) => id },
);

test('[D25 I7] no two recordings of one workout count without a word of the member, in whatever order they come', () => {
  const shuffled = anyRecordings.chain((all) =>
    fc.record({ all: fc.constant(all), other: fc.shuffledSubarray(all, { minLength: all.length }) }),
  );
  fc.assert(
    fc.property(shuffled, ({ all, other }) => {
      const decisions = decideWhatCounts(all);
      expect(new Map([...decideWhatCounts(other)].toSorted())).toEqual(new Map([...decisions].toSorted()));
      const ruled = all.filter(({ id, override }) => override === null && decisions.get(id)?.counts);
      for (const one of ruled) expect(ruled.filter((two) => areSameWorkout(one, two))).toEqual([]);
      for (const { id, override } of all) {
        const { counts, sameAs } = decisions.get(id) ?? {};
        if (override === null && !counts) expect(ruled.map((one) => one.id)).toContain(sameAs);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('[D25] those who know only what counts elsewhere decide their own logs as those who know all', () => {
  fc.assert(
    fc.property(anyRecordings, (all) => {
      const isOwn = ({ source }: Recording) => source === 'timer' || source === 'manual';
      const decisions = decideWhatCounts(all);
      const known = all.filter((one) => isOwn(one) || decisions.get(one.id)?.counts);
      const partly = decideWhatCounts(known);
      for (const { id } of all.filter(isOwn)) expect(partly.get(id)).toEqual(decisions.get(id));
    }),
    { numRuns: 1_000 },
  );
});

test('[D25] recordings that begin more than a day apart are never the same workout, and nearer ones may be', () => {
  const longest = { durationMinutes: 1_440 };
  const apart = (milliseconds: number) => onStrava({ ...longest, startedAt: new Date(morning + milliseconds) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 * 86_400_000 }), (beyond) => {
      expect(areSameWorkout(walk(longest), apart(nearMilliseconds + beyond))).toBe(false);
    }),
  );
  expect(areSameWorkout(walk(longest), apart(nearMilliseconds / 2))).toBe(true);
  expect(reachMilliseconds).toBe(4 * nearMilliseconds);
});
