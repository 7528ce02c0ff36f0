import type { EarnedBadge } from '@caravan/contracts/http/badges';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs } from '../../testing/app.tsx';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const earnedBadge = (badgeName: string, dateEarned: string): EarnedBadge => ({
  badgeName,
  badgeIcon: '🥾',
  dateEarned,
});

const noticeOf = (badge: string) => screen.queryByText(`You earned the ${badge} badge!`, { selector: 'li *' });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

afterEach(() => void vi.useRealTimers());

test('[4.37 9.19] of a badge of the last hour one is told after 1 second, for 5 seconds', async () => {
  sessionStorage.clear();
  signedInAs();
  let badges: EarnedBadge[] = [];
  const calls = serveApi({
    'GET /api/badges/all': { body: [] },
    'GET /api/user/badges': () => ({ body: badges }),
  });
  const { queryClient } = openApp('/badges');
  expect(await screen.findByRole('heading', { name: 'Your Streak Badges (0)' })).toBeDefined();
  expect(pathsOf(calls)).toContain('GET /api/user/badges');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  badges = [earnedBadge('First Steps', minutesAgo(59)), earnedBadge('Old Friend', minutesAgo(61))];
  const isAskedAgain = queryClient.invalidateQueries({ queryKey: ['/api/user/badges'] });
  // Time passes by single milliseconds until the badges are there; the clock of the notice starts then.
  await vi.waitFor(() => screen.getByRole('heading', { name: 'Your Streak Badges (2)' }), {
    interval: 1,
    timeout: 30_000,
  });
  await isAskedAgain;
  await pass(980);
  expect(noticeOf('First Steps')).toBeNull();
  await pass(40);
  expect(noticeOf('First Steps')).not.toBeNull();
  await pass(4940);
  expect(noticeOf('First Steps')).not.toBeNull();
  await pass(60);
  expect(noticeOf('First Steps')).toBeNull();
  await pass(60_000);
  expect(noticeOf('Old Friend')).toBeNull();
});
