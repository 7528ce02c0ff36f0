import { describe, expect, test } from 'vitest';
import type { Workout } from '../providers/provider.ts';
import { at, connectedAt, saw } from '../testing/imports-world.ts';
import { isNewer, seenWorkout } from './workout.ts';

const keepWorkout = (seenMinute: number, one: Partial<Workout> | 'gone' = {}) =>
  seenWorkout(saw('fitbit', seenMinute, one), connectedAt);

describe('of two observations of one workout the newer one', () => {
  const undated = keepWorkout(1);
  const dated = keepWorkout(1, { changedAt: at(-9) });
  const later = keepWorkout(1, { changedAt: at(-8) });

  test.each([
    ['is the one that was asked for later', keepWorkout(2), keepWorkout(1, { changedAt: at(3) })],
    ['is, of one moment, the one that changed later', later, dated],
    ['is, of one moment, the one that says when it changed', dated, undated],
    ['is, of one moment, the one that is gone', keepWorkout(1, 'gone'), undated],
  ])('[F09] %s', (_, newer, older) => {
    expect([isNewer(newer, older), isNewer(older, newer)]).toEqual([true, false]);
  });

  test('[F08] is neither where they are the same', () => {
    for (const one of [undated, dated, keepWorkout(1, 'gone')]) expect(isNewer(one, one)).toBe(false);
  });

  test('[F09] is always the same one where nothing else tells them apart', () => {
    const one = keepWorkout(1, { durationMinutes: 20 });
    const other = keepWorkout(1, { durationMinutes: 30 });
    expect(isNewer(one, other)).toBe(!isNewer(other, one));
  });
});

describe('what was measured', () => {
  const judgedWorkout = (workout: Partial<Workout>) => keepWorkout(1, workout).judged;
  const largest = 2_147_483_647;

  test('[F08] is kept whole, down to the least that can be', () => {
    expect(judgedWorkout({ meters: 0, heartRate: 1, calories: 0 })).toMatchObject({
      meters: 0,
      heartRate: 1,
      calories: 0,
    });
    expect(judgedWorkout({ meters: 5_000.5, heartRate: 139.6 })).toMatchObject({ meters: 5_001, heartRate: 140 });
    expect(judgedWorkout({ meters: largest })).toMatchObject({ meters: largest });
  });

  test('[F08] is nothing where it cannot have been', () => {
    const nothing = { meters: null, heartRate: null, calories: null };
    expect(judgedWorkout({ meters: -1, heartRate: 0, calories: -1 })).toMatchObject(nothing);
    expect(judgedWorkout({ meters: largest + 1, heartRate: Number.NaN, calories: Infinity })).toMatchObject(nothing);
    expect(judgedWorkout(nothing)).toMatchObject(nothing);
  });
});

test('[D6] a workout counts from a minute on, of thirty days before and ten minutes after, to the instant', () => {
  const days = 24 * 60;
  const whyOf = (one: Partial<Workout>, seenMinute = 1) => keepWorkout(seenMinute, one).judged?.why;
  expect([whyOf({ durationMinutes: 1 }), whyOf({ durationMinutes: 0.99 })]).toEqual([null, 'too-short']);
  expect([whyOf({ startedAt: at(-30 * days) }), whyOf({ startedAt: at(-30 * days - 1) })]).toEqual([null, 'too-old']);
  expect([whyOf({ startedAt: at(11) }), whyOf({ startedAt: at(12) })]).toEqual([null, 'in-future']);
});

test('[F08] of a workout that is gone a tombstone is left', () => {
  expect(keepWorkout(1, 'gone')).toEqual({ externalId: '1', seenAt: at(1), changedAt: null, judged: null });
});
