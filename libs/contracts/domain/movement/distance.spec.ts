import { expect, test } from 'vitest';
import { distanceIn } from './distance.ts';

test.each([
  ['imperial', 0, '0 miles'],
  ['imperial', 99, '0.99 miles'],
  ['imperial', 100, '1 mile'],
  ['imperial', 101, '1.01 miles'],
  ['imperial', 250, '2.5 miles'],
  ['imperial', 100_000, '1000 miles'],
  ['metric', 0, '0 km'],
  ['metric', 1, '0.02 km'],
  ['metric', 100, '1.61 km'],
  ['metric', 250, '4.02 km'],
  ['metric', 6_214, '100 km'],
] as const)('[9.22] in %s units %i hundredths of a mile are %s', (units, centimiles, told) => {
  const { figure, unit } = distanceIn(units, centimiles);
  expect(`${figure} ${unit}`).toBe(told);
});
