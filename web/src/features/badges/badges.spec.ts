import type { EarnedBadge, GalleryBadge } from '@caravan/contracts/http/badges';
import { expect, test } from 'vitest';
import {
  awayFrom,
  isNewThisWeek,
  keyOfEarned,
  latestEarned,
  latestFirst,
  nextBadge,
  shareOf,
  untold,
} from './badges.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const earnedBadge = (badgeName: string, dateEarned: string): EarnedBadge => ({
  badgeName,
  badgeIcon: '🥾',
  dateEarned,
});

test('[4.37] one is told of badges of the last hour, the earliest first, each once', () => {
  const late = earnedBadge('Late', '2026-11-21T11:59:00Z');
  const early = earnedBadge('Early', '2026-11-21T11:00:00Z');
  const old = earnedBadge('Old', '2026-11-21T10:59:59Z');
  expect(untold([late, old, early], new Set(), now)).toEqual([early, late]);
  expect(untold([late, old, early], new Set([keyOfEarned(early)]), now)).toEqual([late]);
});

test('[4.38] a badge is new this week for seven days after it was earned', () => {
  expect(isNewThisWeek('2026-11-14T12:00:00Z', now)).toBe(true);
  expect(isNewThisWeek('2026-11-14T11:59:59Z', now)).toBe(false);
  expect(isNewThisWeek(null, now)).toBe(false);
});

test('[2.95] what is still to go is the difference, never less than nothing', () => {
  expect(awayFrom({ current: 0.1, target: 0.3, progressText: '' })).toBe(0.2);
  expect(awayFrom({ current: 12, target: 10, progressText: '' })).toBe(0);
  expect(shareOf({ current: 12, target: 10, progressText: '' })).toBe(1);
  expect(shareOf({ current: 0, target: 0, progressText: '' })).toBe(0);
});

test('[2.96] the strip begins with what was earned last', () => {
  const first = earnedBadge('First', '2026-11-01T00:00:00Z');
  const second = earnedBadge('Second', '2026-11-02T00:00:00Z');
  expect(latestFirst([first, second])).toEqual([second, first]);
});

const badgeOf = (badgeId: string, dateEarned: string | null, current: number): GalleryBadge => ({
  badgeId,
  badgeName: badgeId,
  badgeIcon: '🥾',
  description: '',
  requirement: '',
  category: 'Milestones',
  isEarned: dateEarned !== null,
  dateEarned,
  progress: { current, target: 10, progressText: '' },
});

test('[2.95 2.107] the shelf has the badges earned last, and the one of which the largest part is done', () => {
  const badges = [
    badgeOf('old', '2026-11-01T00:00:00Z', 10),
    badgeOf('far', null, 2),
    badgeOf('near', null, 9),
    badgeOf('untouched', null, 0),
    badgeOf('new', '2026-11-20T00:00:00Z', 10),
  ];
  expect(latestEarned(badges, 4).map(({ badgeId }) => badgeId)).toEqual(['new', 'old']);
  expect(latestEarned(badges, 1)).toHaveLength(1);
  expect(nextBadge(badges)?.badgeId).toBe('near');
  expect(nextBadge([badgeOf('untouched', null, 0)])).toBeUndefined();
});
