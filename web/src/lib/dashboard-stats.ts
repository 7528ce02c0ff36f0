import { statsOf } from './answers.ts';
import { readDashboardStats } from './api/generated/sdk.gen.ts';
import { dataQuery } from './query-client.ts';

/** Rank, week, teams and what was done lately (7.14). */
export const dashboardStatsQuery = dataQuery(['/api/dashboard/stats'], async (options) =>
  statsOf(await readDashboardStats(options)),
);
