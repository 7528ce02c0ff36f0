import type { DashboardStats } from '@caravan/contracts/http/scores';
import { readDashboardStats } from './api/generated/sdk.gen.ts';
import { complete, numberOf } from './complete.ts';
import { dataQuery } from './query-client.ts';

// What stands for the fields that section 3 does not name: whose profile, when exactly, the teams (D44, D45).
const activityOf = (answer: Partial<DashboardStats['recentActivities'][number]>) => {
  const activity = complete<DashboardStats['recentActivities'][number]>(answer, {
    id: '',
    teamEmoji: '',
    userName: '',
    profileId: null,
    activityType: '',
    miles: Number.NaN,
    timeAgo: '',
    createdAt: '',
  });
  return { ...activity, miles: numberOf(activity.miles) };
};

function statsOf(answer: Partial<DashboardStats>): DashboardStats {
  const stats = complete<DashboardStats>(answer, {
    userRank: null,
    weeklyMiles: 0,
    recentActivities: [],
    teamProgress: [],
  });
  const recentActivities = stats.recentActivities.map(activityOf);
  return { ...stats, weeklyMiles: numberOf(stats.weeklyMiles), recentActivities };
}

/** Rank, week, teams and what was done lately (7.14). */
export const dashboardStatsQuery = dataQuery(['/api/dashboard/stats'], async (options) =>
  statsOf(await readDashboardStats(options)),
);
