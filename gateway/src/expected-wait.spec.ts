import { expect, test } from 'vitest';
import { ExpectedWait } from './expected-wait.ts';

const places = 4;

/** Everybody comes at once; then one of those with a place leaves every so many milliseconds. */
function crowd(size: number, leaving: { millisecondsEach: number; times: number }): ExpectedWait {
  const wait = new ExpectedWait(places);
  for (let come = 0; come < size; come += 1) wait.begin(0);
  for (let left = 1; left <= leaving.times; left += 1) wait.end(left * leaving.millisecondsEach);
  return wait;
}

test('[S18] who comes now waits as long as those before need to leave at their pace', () => {
  expect(crowd(places + 120, { millisecondsEach: 5, times: 20 }).milliseconds).toBeCloseTo(100 * 5);
});

test('[S18] where places are free, or the pace is not known yet, nobody is expected to wait', () => {
  expect(crowd(places + 20, { millisecondsEach: 5, times: 20 }).milliseconds).toBe(0);
  expect(crowd(places + 120, { millisecondsEach: 5, times: 15 }).milliseconds).toBe(0);
});

test('[S18] the pace follows what happens: a service that recovers is asked again', () => {
  const wait = crowd(places + 2_000, { millisecondsEach: 100, times: 20 });
  expect(wait.milliseconds).toBeGreaterThan(190_000);
  for (let left = 1; left <= 1_500; left += 1) wait.end(2_000 + left);
  expect(wait.milliseconds).toBeLessThan(2 * 480);
});

test('[S18] a quiet hour before a crowd is no part of its pace', () => {
  const wait = crowd(places + 20, { millisecondsEach: 5, times: 22 });
  const later = 3_600_000;
  for (let come = 0; come < 102; come += 1) wait.begin(later);
  expect(wait.running).toBe(places + 100);
  for (let left = 1; left <= 20; left += 1) wait.end(later + left * 5);
  expect(wait.milliseconds).toBeCloseTo(80 * 5);
});
