import { pageQuerySchema } from '../paging.ts';
import * as scores from '../scores.ts';
import { list } from './operation.ts';

export const scoresOperations = list({
  readDashboardStats: {
    method: 'get',
    path: '/api/dashboard/stats',
    service: 'scoring',
    access: 'member',
    summary: 'Own rank and week, team progress and what colleagues did last.',
    answers: { 200: scores.dashboardStatsSchema },
  },
  readLeaderboard: {
    method: 'get',
    path: '/api/leaderboard',
    service: 'scoring',
    access: 'member',
    summary:
      'The first 20 members and 10 teams by all miles or those of the running week, and where the caller stands.',
    query: scores.leaderboardQuerySchema,
    answers: { 200: scores.leaderboardSchema },
  },
  readBoardWeeks: {
    method: 'get',
    path: '/api/leaderboard/weeks',
    service: 'scoring',
    access: 'member',
    summary: 'Own rank at the end of each of the last weeks, and the miles of the teams in each of them.',
    answers: { 200: scores.boardWeeksSchema },
  },
  listMiles: {
    method: 'get',
    path: '/api/miles',
    service: 'scoring',
    access: 'member',
    summary: 'Every entry of the own ledger with what explains it, newest first; the next page is in the Link header.',
    query: pageQuerySchema(20),
    answers: { 200: scores.milesSchema },
  },
  readOwnDays: {
    method: 'get',
    path: '/api/miles/days',
    service: 'scoring',
    access: 'member',
    summary: 'Own miles and movements of each local date, and the dates on which a freeze kept the streak.',
    query: scores.ownDaysQuerySchema,
    answers: { 200: scores.ownDaysSchema },
  },
});
