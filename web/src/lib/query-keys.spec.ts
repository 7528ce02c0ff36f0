import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';
import { refreshAfterMoving } from './query-keys.ts';

test('[4.27 7.35] a log makes stale what shows miles or follows from them, the badge gallery among it, and nothing else', () => {
  const queryClient = createQueryClient();
  const changed = [
    ['/api/me'],
    ['/api/dashboard/stats'],
    ['/api/bonus-challenge'],
    ['/api/weekly-challenges', 'c1', 'progress'],
    ['/api/leaderboard', 'week'],
    ['/api/feed', 'all'],
    ['/api/logs', 'year', '2026'],
    ['/api/miles'],
    ['/api/users', 'u1'],
    ['/api/user/badges'],
    ['/api/badges', 'all'],
    ['/api/journey'],
  ];
  const same = [['/api/me/settings'], ['/api/org/branding'], ['/api/teams'], ['/api/members']];
  for (const queryKey of [...changed, ...same]) queryClient.setQueryData(queryKey, {});
  refreshAfterMoving(queryClient);
  const isStale = (queryKey: string[]) => queryClient.getQueryState(queryKey)?.isInvalidated;
  expect(changed.filter((queryKey) => !isStale(queryKey))).toEqual([]);
  expect(same.filter((queryKey) => isStale(queryKey))).toEqual([]);
});
