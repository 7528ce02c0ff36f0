// @vitest-environment node
import type { BonusChallenge } from '@caravan/contracts/http/challenges';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { expect, test } from 'vitest';
import { placed } from './live-shown.ts';

const post = (hour: number): FeedPost => ({
  id: `p${hour}`,
  createdAt: `2026-11-22T${String(hour).padStart(2, '0')}:00:00.000Z`,
  ...{ user: { name: 'Omar', avatar: null, profileId: null }, source: 'manual', activityType: 'Walking' },
  ...{ distanceMiles: '3.00', durationMinutes: 30, caption: null, photoUrl: null, reactions: {} },
});
const page = (hours: readonly number[], next: string | null) => ({ rows: hours.map(post), next });
const feed = (...pages: ReturnType<typeof page>[]) => ({ pages, pageParams: pages.map(() => null) });
const newest = (...hours: number[]) => ({ feed: { posts: hours.map(post), next: 'a' } });
const key = ['/api/feed', 'all'];

test('[S18] a feed of one page becomes the newest posts, as a GET would answer', () => {
  expect(placed(key, feed(page([9, 8], 'b')), newest(10, 9))).toEqual(feed(page([10, 9], 'a')));
  expect(placed(key, feed(page([9, 8], 'b')), newest(20, 19))).toEqual(feed(page([20, 19], 'a')));
});

test('[S18 D17] a feed of several pages misses no post and shows none twice', () => {
  const before = feed(page([9, 8], 'b'), page([7, 6], 'c'));
  expect(placed(key, before, newest(11, 10, 9))).toEqual(feed(page([11, 10, 9, 8], 'b'), page([7, 6], 'c')));
  // 9 was taken back: what follows moves up, 7 among it.
  expect(placed(key, before, newest(8, 7))).toEqual(feed(page([8, 7], 'b'), page([6], 'c')));
  // More came than the stream carries: what lies between has to be asked for.
  expect(placed(key, before, newest(20, 19))).toBeUndefined();
});

test('[S18] a bonus challenge stays completed while it is the same one', () => {
  const { isCompleted, ...open }: BonusChallenge = {
    ...{ id: 'b1', title: 'Walk', description: '', activityType: 'Walking', targetDurationMinutes: 30 },
    ...{ targetDistanceMiles: null, multiplier: 2, expiresAt: '', isActive: true, isCompleted: true },
  };
  const bonusKey = ['/api/bonus-challenge'];
  const after = (shown: object, before: unknown = { ...open, isCompleted }) =>
    placed(bonusKey, before, { bonus: shown });
  expect(after({ open })).toEqual({ ...open, isCompleted: true });
  expect(after({ open: { ...open, id: 'b2' } })).toEqual({ ...open, id: 'b2', isCompleted: false });
  expect(after({ open, isCompleted: false })).toEqual({ ...open, isCompleted: false });
  expect(after({ open: null })).toBeNull();
  expect(after({ open }, null)).toEqual({ ...open, isCompleted: false });
});

test('[S18 D14] progress is placed by challenge, and what is not named stays', () => {
  const of = (id: string) => ['/api/weekly-challenges', id, 'progress'];
  const before = { currentProgress: 1, targetValue: 5, bonusAwarded: true };
  const shown = { challenges: { progress: { c1: { currentProgress: 2 } } } };
  expect(placed(of('c1'), before, shown)).toEqual({ ...before, currentProgress: 2 });
  expect(placed(of('c2'), before, shown)).toEqual(before);
  expect(placed(['/api/weekly-challenges'], [], shown)).toEqual([]);
});

test('[S18 D33] a journey on another route is asked for', () => {
  const before = { route: { id: 'route-66' }, teams: [], reached: [], startedAt: '' };
  const shown = (routeId: string) => ({ journey: { routeId, startedAt: '', teams: [], reached: [] } });
  expect(placed(['/api/journey'], before, shown('route-66'))).toEqual(before);
  expect(placed(['/api/journey'], before, shown('camino-frances'))).toBeUndefined();
  expect(placed(['/api/journey'], null, shown('route-66'))).toBeUndefined();
});
