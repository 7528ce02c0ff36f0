import { describe, expect, test } from 'vitest';
import { at } from '../testing/imports-world.ts';
import { isCounting, type Standing, verdictsOn, wordOn } from './counting.ts';

const standing = (id: string, differing: Partial<Standing> = {}): Standing => ({
  id,
  source: 'fitbit',
  startedAt: at(-60),
  durationMinutes: 30,
  audience: 'organisation',
  isScored: true,
  creditableAt: at(0),
  override: null,
  why: null,
  isRemoved: false,
  ...differing,
});
const strava = (differing: Partial<Standing> = {}) => standing('s', { source: 'strava', ...differing });
const fitbit = standing('f', { creditableAt: at(1) });

describe('an import', () => {
  test('[D21 D25] counts, earns nothing, or stands behind the one that counts in its place', () => {
    expect(verdictsOn([strava()], []).get('s')).toEqual({ state: 'counted', sameAs: null });
    expect(verdictsOn([strava({ isScored: false })], []).get('s')).toEqual({ state: 'unscored', sameAs: null });
    expect(verdictsOn([strava(), fitbit], []).get('f')).toEqual({ state: 'duplicate', sameAs: 's' });
    expect(verdictsOn([fitbit], [strava()]).get('f')).toEqual({ state: 'duplicate', sameAs: 's' });
  });

  test('[D6 D8] that cannot count, or was deleted by hand, takes nothing from another', () => {
    for (const [gone, state] of [
      [strava({ why: 'too-old' }), 'skipped'],
      [strava({ isRemoved: true }), 'removed'],
      [strava({ why: 'too-old', isRemoved: true }), 'skipped'],
    ] as const) {
      const verdicts = verdictsOn([gone, fitbit], []);
      expect(verdicts.get('s')).toEqual({ state, sameAs: null });
      expect(verdicts.get('f')).toEqual({ state: 'counted', sameAs: null });
      expect(verdicts.size).toBe(2);
    }
  });

  test('[D25] that the member keeps out stands behind none', () => {
    expect(verdictsOn([strava({ override: false })], []).get('s')).toEqual({ state: 'duplicate', sameAs: null });
  });

  test('[D21] counts whether it earns or not', () => {
    const states = ['counted', 'unscored', 'duplicate', 'skipped', 'removed'] as const;
    expect(states.filter((state) => isCounting({ state, sameAs: null }))).toEqual(['counted', 'unscored']);
  });
});

test('[D25] the word on an import is weighed against those that can count, and the own logs', () => {
  const word = { id: 'f', counts: true };
  expect(wordOn([strava(), fitbit], [], word)).toBe(true);
  expect(wordOn([fitbit], [strava()], word)).toBe(true);
  expect(wordOn([strava({ why: 'too-old' }), fitbit], [], word)).toBeNull();
  expect(wordOn([strava({ isRemoved: true }), fitbit], [], word)).toBeNull();
});
