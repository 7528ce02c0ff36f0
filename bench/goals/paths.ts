export const judgedPaths: Readonly<Record<string, number>> = {
  '/api/leaderboard': 0.08,
  '/api/feed/all?limit=10': 0.08,
  '/api/dashboard/stats': 0.08,
  '/api/me': 0.08,
};

/** {me}: the reader; {individual}, {team}: a challenge of the running week. */
export const memberPaths: readonly string[] = [
  '/api/leaderboard?period=week',
  '/api/feed/team?limit=10',
  '/api/feed/mine?limit=10',
  '/api/weekly-challenges',
  '/api/weekly-challenges/{individual}/progress',
  '/api/weekly-challenges/{team}/progress',
  '/api/bonus-challenge',
  '/api/challenge-templates',
  '/api/miles',
  '/api/logs',
  '/api/user/badges',
  '/api/badges/all',
  '/api/journey',
  '/api/members',
  '/api/members?sort=miles',
  '/api/teams',
  '/api/company',
  '/api/users/{me}',
  '/api/user-activities/frequent',
];

export const historyPaths: readonly string[] = [
  '/api/leaderboard',
  '/api/dashboard/stats',
  '/api/me',
  '/api/miles',
  '/api/logs',
  '/api/feed/mine?limit=10',
  '/api/user/badges',
  '/api/badges/all',
  '/api/journey',
  '/api/users/{me}',
  '/api/weekly-challenges/{individual}/progress',
  '/api/weekly-challenges/{team}/progress',
];
