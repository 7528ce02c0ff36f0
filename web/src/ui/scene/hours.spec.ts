// @vitest-environment node
import { expect, test } from 'vitest';
import { hourOf, mileBars } from './hours.ts';

test('a picture is dawn from five, day from nine, dusk from five in the afternoon, night from nine', () => {
  expect([0, 4, 5, 8, 9, 16, 17, 20, 21, 23].map(hourOf)).toEqual([
    'night',
    'night',
    'dawn',
    'dawn',
    'day',
    'day',
    'dusk',
    'dusk',
    'night',
    'night',
  ]);
});

test('a bar on a picture is a mile, the last one is part of a mile, and twelve are the most', () => {
  expect(mileBars(3)).toEqual({ count: 3, isLastPart: false });
  expect(mileBars(3.5)).toEqual({ count: 4, isLastPart: true });
  expect(mileBars(0.1)).toEqual({ count: 1, isLastPart: true });
  expect(mileBars(40.2)).toEqual({ count: 12, isLastPart: false });
  expect([mileBars(0), mileBars(Number.NaN)].map(({ count }) => count)).toEqual([0, 0]);
});
