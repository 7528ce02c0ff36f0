import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from './bonus.ts';
import type { Window } from './bonus.ts';

const window: Window = {
  challengeId: '019a8c10-0000-7000-8000-000000000062',
  activityType: 'Walking',
  targetDurationMinutes: 20,
  multiplier: 2,
  openedAt: new Date('2026-11-18T09:00:00.000Z'),
  expiresAt: new Date('2026-11-18T17:00:00.000Z'),
  closedAt: null,
  isCompleted: false,
};
const walk = { activityType: 'Walking', durationMinutes: 20 };
const noon = new Date('2026-11-18T12:00:00.000Z');
const bonus = { challengeId: window.challengeId, multiplier: 2, targetDurationMinutes: 20 };

describe('a log that names a bonus challenge', () => {
  test('[D15] completes it when it is open, the activity matches and it is long enough', () => {
    expect(evaluate(window, walk, noon)).toEqual({ bonus });
    expect(evaluate(window, walk, window.openedAt)).toEqual({ bonus });
  });

  test('[D15] may write the activity in any case', () => {
    expect(evaluate(window, { ...walk, activityType: ' wALKING ' }, noon)).toEqual({ bonus });
  });

  test('[4.16 D15] earns nothing more from the instant on at which it expires, or once it is closed', () => {
    expect(evaluate(window, walk, window.expiresAt)).toEqual({ refusal: 'bonus/closed' });
    expect(evaluate({ ...window, closedAt: new Date('2026-11-18T11:00:00.000Z') }, walk, noon)).toEqual({
      refusal: 'bonus/closed',
    });
    expect(evaluate(window, walk, new Date(window.openedAt.getTime() - 1))).toEqual({ refusal: 'bonus/closed' });
  });

  test('[D15 D40] is told why it does not apply', () => {
    expect(evaluate(undefined, walk, noon)).toEqual({ refusal: 'bonus/unknown' });
    expect(evaluate(window, { ...walk, activityType: 'Running' }, noon)).toEqual({ refusal: 'bonus/other-activity' });
    expect(evaluate(window, { ...walk, durationMinutes: 19 }, noon)).toEqual({ refusal: 'bonus/too-short' });
    expect(evaluate({ ...window, isCompleted: true }, walk, noon)).toEqual({ refusal: 'bonus/already-completed' });
  });

  test('[D15] gets either the multiplier or a reason, never both, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.record({
          minutes: fc.integer({ min: 1, max: 60 }),
          activity: fc.constantFrom('Walking', 'walking', 'Yoga'),
        }),
        fc.record({
          isCompleted: fc.boolean(),
          isClosed: fc.boolean(),
          offsetMinutes: fc.integer({ min: -60, max: 600 }),
        }),
        ({ minutes, activity }, { isCompleted, isClosed, offsetMinutes }) => {
          const at = new Date(window.openedAt.getTime() + offsetMinutes * 60_000);
          const one = { ...window, isCompleted, closedAt: isClosed ? at : null };
          const evaluated = evaluate(one, { activityType: activity, durationMinutes: minutes }, at);
          const fits = [!isClosed, offsetMinutes >= 0 && offsetMinutes < 480, activity !== 'Yoga', minutes >= 20];
          expect(evaluated.bonus !== undefined).toBe(fits.every(Boolean) && !isCompleted);
          expect(evaluated.refusal === undefined).toBe(evaluated.bonus !== undefined);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
