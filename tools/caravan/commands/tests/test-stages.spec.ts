import { expect, test } from 'vitest';
import { literally, select, stageOf } from './test-stages.ts';

test.each([
  ['libs/contracts/domain/movement/miles.spec.ts', 'pure'],
  ['services/activity/src/logging/movement.int.spec.ts', 'integration'],
  ['web/src/features/timer/timer.spec.tsx', 'web'],
  ['e2e/first-day.e2e.spec.ts', 'journeys'],
  ['libs/contracts/domain/movement/miles.ts', undefined],
])('%s belongs to %s', (file, stage) => {
  expect(stageOf(file)).toBe(stage);
});

const specs = [
  { file: 'libs/contracts/domain/movement/miles.spec.ts', text: "test('ten minutes make a mile')" },
  { file: 'libs/contracts/domain/movement/streak.spec.ts', text: "test('a day without Miles ends a streak')" },
  { file: 'libs/contracts/events/topics.spec.ts', text: "test('names are stable')" },
  { file: 'e2e/miles.e2e.spec.ts', text: '' },
];

test('a word chooses files named after it as a whole and others by the titles of their tests', () => {
  expect(select(specs, 'pure', 'miles')).toEqual({
    files: ['libs/contracts/domain/movement/miles.spec.ts'],
    filesByTitle: ['libs/contracts/domain/movement/streak.spec.ts'],
  });
  expect(select(specs, 'journeys', 'MILES')).toEqual({ files: ['e2e/miles.e2e.spec.ts'], filesByTitle: [] });
  expect(select(specs, 'integration', 'miles')).toEqual({ files: [], filesByTitle: [] });
});

test('a word is sought as it is written, not as a pattern', () => {
  expect(new RegExp(literally('[7.17 D5] (a)?')).test('[7.17 D5] (a)? b')).toBe(true);
  expect(new RegExp(literally('3.5')).test('3x5')).toBe(false);
});
