import type { QueryClient } from '@tanstack/react-query';

/** What shows miles, or follows from them; the live stream says the same, but later (7, 8, D8). */
const changed = [
  '/api/me',
  '/api/dashboard/stats',
  '/api/bonus-challenge',
  '/api/weekly-challenges',
  '/api/leaderboard',
  '/api/feed',
  '/api/activity-feed',
  '/api/logs',
  '/api/miles',
  '/api/users',
  '/api/user/badges',
  '/api/badges/all',
  '/api/journey',
];

/** After a log, a correction or a removal: what is on the screen is fetched again, the rest when it is next shown. */
export function refreshAfterMoving(queryClient: QueryClient): void {
  for (const path of changed) void queryClient.invalidateQueries({ queryKey: [path] });
}
