import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coveredMiles,
  detailRun,
  elapsedSeconds,
  formatElapsed,
  isDoubled,
  isForgotten,
  isLongEnough,
  isLongerThanALog,
  keepRun,
  milesSoFar,
  pauseRun,
  readRun,
  resumeRun,
  secondsToNextMile,
  startRun,
  touchRun,
  trimRun,
  wholeMinutes,
} from './run.ts';

const start = 1_700_000_000_000;
const minute = 60_000;
const hour = 3_600_000;
const walk = { activity: 'Walking', targetMinutes: null, bonus: null };

describe('a run of the timer', () => {
  test('[4.24] a pause keeps the time, and going on adds to it', () => {
    const paused = pauseRun(startRun(start, walk), start + 90_000);
    expect(elapsedSeconds(paused, start + 500_000)).toBe(90);
    expect(elapsedSeconds(resumeRun(paused, start + 500_000), start + 530_000)).toBe(120);
  });

  test('[4.24] pauses of any number and length never change what was moved', () => {
    const parts = fc.array(fc.record({ moved: fc.nat(5_000_000), rested: fc.nat(5_000_000) }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(parts, (stretches) => {
        let now = start;
        let run = pauseRun(startRun(start, walk), start);
        for (const { moved, rested } of stretches) {
          run = pauseRun(resumeRun(run, now), (now += moved));
          now += rested;
        }
        const moved = stretches.reduce((sum, stretch) => sum + stretch.moved, 0);
        expect(elapsedSeconds(run, now)).toBe(Math.floor(moved / 1000));
      }),
    );
  });

  test('a clock that is set back takes nothing away', () => {
    expect(elapsedSeconds(startRun(start, walk), start - 60_000)).toBe(0);
  });

  test('what the browser kept comes back, and nonsense does not', () => {
    const run = pauseRun(startRun(start, walk), start + 5000);
    expect(readRun(JSON.stringify(run))).toEqual(run);
    const bonus = { challengeId: 'b1', activity: 'Running' };
    const uphill = startRun(start, { activity: 'Running', targetMinutes: 30, bonus });
    expect(readRun(JSON.stringify(uphill))).toEqual(uphill);
    const broken = JSON.stringify({ ...uphill, bonus: 'b1' });
    expect(readRun(JSON.stringify(detailRun(uphill, { description: 'Up the hill' })))?.description).toBe('Up the hill');
    expect(readRun(JSON.stringify({ ...uphill, description: 1 }))).toBeNull();
    for (const nonsense of [null, '', '{', '{}', '[]', '"x"', '{"firstStartedAt":"x"}', broken])
      expect(readRun(nonsense)).toBeNull();
  });
});

describe('a timer that was forgotten', () => {
  test.each([
    [2 * hour - 1, false],
    [2 * hour, true],
  ])('[D6] %i ms without a touch: forgotten is %s', (untouched, isIt) => {
    expect(isForgotten(startRun(start, walk), start + untouched)).toBe(isIt);
  });

  test('[D6] a paused timer is never forgotten', () => {
    expect(isForgotten(pauseRun(startRun(start, walk), start + minute), start + 9 * hour)).toBe(false);
  });

  test('[D6] every touch is a sign of life, until two hours passed without one', () => {
    const touched = touchRun(startRun(start, walk), start + hour);
    expect(isForgotten(touched, start + 3 * hour - 1)).toBe(false);
    expect(isForgotten(touchRun(touched, start + 3 * hour), start + 3 * hour)).toBe(true);
  });

  test('[D6] it can be cut back to the last sign of life, or kept as it is', () => {
    const touched = touchRun(startRun(start, walk), start + 25 * minute);
    const cut = trimRun(touched);
    const kept = keepRun(touched, start + 3 * hour);
    expect([elapsedSeconds(cut, start + 3 * hour), cut.runningSince]).toEqual([25 * 60, null]);
    expect([elapsedSeconds(kept, start + 3 * hour), isForgotten(kept, start + 3 * hour)]).toEqual([3 * 3600, false]);
  });
});

describe('what the time is worth', () => {
  test.each([
    [0, 0, 600],
    [1, 0, 599],
    [599, 0.99, 1],
    [600, 1, 600],
    [1800, 3, 600],
    [1855, 3.09, 545],
  ])('[2.69 9.1] after %i seconds there are %f miles, the next in %i seconds', (seconds, miles, next) => {
    expect([milesSoFar(seconds), secondsToNextMile(seconds)]).toEqual([miles, next]);
  });

  test('[9.2] an hour covers what the pace of its activity covers; anything else has that of walking', () => {
    const covered = ['Walking', 'Running', 'Biking', 'Stretching', 'Raking leaves'].map((name) =>
      coveredMiles(name, 3600),
    );
    expect(covered).toEqual([4, 7.5, 15, 3, 4]);
  });

  test.each([
    [59, false],
    [60, true],
  ])('[9.3 5.8] %i seconds can be logged: %s', (seconds, isEnough) => {
    expect(isLongEnough(seconds)).toBe(isEnough);
  });

  test('[D6] a minute that was not moved is never logged', () => {
    expect([wholeMinutes(119), wholeMinutes(120)]).toEqual([1, 2]);
  });

  test('[D6] a log holds a day at most', () => {
    expect([wholeMinutes(86_400), wholeMinutes(90_000)]).toEqual([1440, 1440]);
    expect([isLongerThanALog(86_459), isLongerThanALog(86_460)]).toEqual([false, true]);
  });

  test.each([
    ['Running', true],
    ['running', true],
    ['Walking', false],
  ])('[4.29 D15] a bonus for Running doubles %s: %s', (activity, isIt) => {
    const bonus = { challengeId: 'b1', activity: 'Running' };
    expect(isDoubled({ activity, targetMinutes: 30, bonus })).toBe(isIt);
    expect(isDoubled({ activity, targetMinutes: null, bonus: null })).toBe(false);
  });

  test.each([
    [0, '0:00'],
    [65, '1:05'],
    [600, '10:00'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [45_296, '12:34:56'],
  ])('[D44] %i seconds read %s', (seconds, text) => {
    expect(formatElapsed(seconds)).toBe(text);
  });
});
