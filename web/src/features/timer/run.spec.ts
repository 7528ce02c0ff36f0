import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  elapsedSeconds,
  formatElapsed,
  isLongEnough,
  milesSoFar,
  pauseRun,
  readRun,
  resumeRun,
  secondsToNextMile,
  startRun,
  wholeMinutes,
} from './run.ts';

const start = 1_700_000_000_000;

describe('a run of the timer', () => {
  test('[4.24] a pause keeps the time, and going on adds to it', () => {
    const paused = pauseRun(startRun(start), start + 90_000);
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
        let [now, run] = [start, pauseRun(startRun(start), start)];
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
    expect(elapsedSeconds(startRun(start), start - 60_000)).toBe(0);
  });

  test('what the browser kept comes back, and nonsense does not', () => {
    const run = pauseRun(startRun(start), start + 5000);
    expect(readRun(JSON.stringify(run))).toEqual(run);
    for (const nonsense of [null, '', '{', '{}', '[]', '"x"', '{"firstStartedAt":"x"}'])
      expect(readRun(nonsense)).toBeNull();
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

  test.each([
    [59, false],
    [60, true],
  ])('[9.3 5.8] %i seconds can be logged: %s', (seconds, isEnough) => {
    expect(isLongEnough(seconds)).toBe(isEnough);
  });

  test('[D6] a minute that was not moved is never logged', () => {
    expect([wholeMinutes(119), wholeMinutes(120)]).toEqual([1, 2]);
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
