import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import { expect, test } from 'vitest';
import { fittingBonus } from './fitting-bonus.ts';

const now = Date.parse('2026-11-21T09:00:00.000Z');
const challenge: BonusChallenge = {
  id: 'b1',
  title: 'Walking Boost',
  description: '',
  activityType: 'Walking',
  targetDurationMinutes: 20,
  targetDistanceMiles: null,
  multiplier: 2,
  expiresAt: '2026-11-21T12:00:00.000Z',
  isActive: true,
  isCompleted: false,
};

test('[D15] a log of the activity and long enough fits the open bonus challenge', () => {
  const told = { challengeId: 'b1', title: 'Walking Boost', multiplier: 2, fewestMinutes: 20 };
  expect(fittingBonus(challenge, { activity: ' walking', minutes: 20 }, now)).toEqual({ ...told, isLongEnough: true });
  expect(fittingBonus(challenge, { activity: 'Walking', minutes: 19 }, now)).toEqual({ ...told, isLongEnough: false });
});

test.each<[string, Partial<BonusChallenge> | null, string]>([
  ['none is open', null, 'Walking'],
  ['it is closed', { isActive: false }, 'Walking'],
  ['it has been completed', { isCompleted: true }, 'Walking'],
  ['its time is over', { expiresAt: '2026-11-21T09:00:00.000Z' }, 'Walking'],
  ['the activity is another', {}, 'Running'],
])('[D15] a log does not fit when %s', (_when, changed, activity) => {
  expect(fittingBonus(changed && { ...challenge, ...changed }, { activity, minutes: 60 }, now)).toBeNull();
});
