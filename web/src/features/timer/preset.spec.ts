import { expect, test } from 'vitest';
import { isSamePurpose, presetOf } from './preset.ts';

test('[2.64 2.66] preset, duration and activity start at once; a bonus challenge comes along', () => {
  const search = { preset: 'true', duration: '30', activity: ' Walking ' };
  expect(presetOf(search)).toEqual({ activity: 'Walking', targetMinutes: 30, bonus: null });
  expect(presetOf({ ...search, bonusChallenge: 'b1' })?.bonus).toEqual({ challengeId: 'b1', activity: 'Walking' });
});

test('[2.65] the quick preset of the floating button starts nothing', () => {
  expect(presetOf({ preset: 'quick' })).toBeNull();
});

test.each([
  [{ preset: 'true', duration: '30' }],
  [{ preset: 'true', activity: 'Walking' }],
  [{ preset: 'true', duration: '30', activity: '  ' }],
  [{ preset: 'true', duration: 'long', activity: 'Walking' }],
  [{ preset: 'true', duration: '-5', activity: 'Walking' }],
  [{ preset: 'true', duration: '1441', activity: 'Walking' }],
  [{ preset: 'quick', duration: '30', activity: 'Walking' }],
  [{ preset: 'quick' }],
  [{ duration: '30', activity: 'Walking', bonusChallenge: 'b1' }],
  [{}],
])('[2.65 D44] %j opens an idle timer', (search) => {
  expect(presetOf(search)).toBeNull();
});

test('a name of any length starts, as much of it as a log holds', () => {
  expect(presetOf({ preset: 'true', duration: '10', activity: '🚶'.repeat(500) })?.activity).toBe('🚶'.repeat(60));
});

test('a link is for the run under way when activity and bonus challenge are the same', () => {
  const of = (activity: string, bonusChallenge?: string) =>
    presetOf({ preset: 'true', duration: '30', activity, ...(bonusChallenge && { bonusChallenge }) });
  const walk = of('Walking');
  const again = of('Walking');
  const bonus = of('Walking', 'b1');
  if (!walk || !again || !bonus) throw new Error('They start at once');
  expect([isSamePurpose(walk, again), isSamePurpose(walk, bonus)]).toEqual([true, false]);
});
