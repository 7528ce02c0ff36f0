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

test('who comes now waits as long as those before need to leave at their pace', () => {
  expect(crowd(places + 220, { millisecondsEach: 5, times: 120 }).milliseconds).toBeCloseTo(100 * 5);
});

test('where places are free nobody is expected to wait', () => {
  expect(crowd(places + 120, { millisecondsEach: 5, times: 120 }).milliseconds).toBe(0);
});

test('a crowd behind a pause of a moment is let in: its pace is not known before half a second is over', () => {
  const wait = crowd(places + 300, { millisecondsEach: 300, times: 1 });
  for (let left = 1; left <= 100; left += 1) wait.end(300 + left);
  expect(wait.milliseconds).toBe(0);
  for (let left = 101; left <= 199; left += 1) wait.end(300 + left);
  expect(wait.milliseconds).toBe(0);
  wait.end(500);
  expect(wait.milliseconds).toBeLessThan(300);
  expect(wait.milliseconds).toBeGreaterThan(0);
});

test('the pace follows what happens: a service that recovers is asked again', () => {
  const wait = crowd(places + 2_000, { millisecondsEach: 100, times: 20 });
  expect(wait.milliseconds).toBeGreaterThan(190_000);
  for (let left = 1; left <= 1_500; left += 1) wait.end(2_000 + left);
  expect(wait.milliseconds).toBeLessThan(2 * 480);
});

test('a quiet hour before a crowd is no part of its pace', () => {
  const wait = crowd(places + 20, { millisecondsEach: 5, times: 22 });
  const later = 3_600_000;
  for (let come = 0; come < 202; come += 1) wait.begin(later);
  expect(wait.running).toBe(places + 200);
  for (let left = 1; left <= 120; left += 1) wait.end(later + left * 5);
  expect(wait.milliseconds).toBeCloseTo(80 * 5);
});
