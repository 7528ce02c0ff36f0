import { dashboardStatsSchema } from '@caravan/contracts/http/scores';
import { expect, test } from 'vitest';
import { dashboardOf } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';

const dashboard: Dashboard = {
  at: new Date('2026-11-16T17:36:00.000Z'),
  rank: 2,
  weekCentimiles: 450,
  recent: [
    {
      id: 'log',
      teamEmoji: '⚡',
      userName: 'Maya Okafor',
      profileId: 'maya',
      activityType: 'Walking',
      centimiles: 300,
      endedAt: '2026-11-16T17:31:00+00:00',
    },
  ],
  teams: [{ id: 'thunder', name: 'Thunder', emoji: '⚡', weekCentimiles: 4_200 }],
};

test('[3.26 9.6 D45] the answer says rank, week, recent activities and team progress', () => {
  const answer = dashboardOf(dashboard);
  expect(dashboardStatsSchema.parse(answer)).toEqual({
    userRank: 2,
    weeklyMiles: 4.5,
    recentActivities: [
      {
        id: 'log',
        teamEmoji: '⚡',
        userName: 'Maya Okafor',
        profileId: 'maya',
        activityType: 'Walking',
        miles: 3,
        timeAgo: '5 minutes ago',
        createdAt: '2026-11-16T17:31:00.000Z',
      },
    ],
    teamProgress: [{ id: 'thunder', name: 'Thunder', emoji: '⚡', miles: 42, goalMiles: 50 }],
  });
});

test('[D18 S22] who is not named is not told by id, instant or own words either', () => {
  const recent = dashboard.recent.map((movement) => ({
    ...movement,
    id: null,
    profileId: null,
    userName: 'A teammate',
    activityType: 'Chasing the dog',
  }));
  const { recentActivities } = dashboardOf({ ...dashboard, recent: [...recent, ...recent] });
  expect(recentActivities.map(({ id, activityType, createdAt }) => [id, activityType, createdAt])).toEqual([
    ['hidden-1', 'Custom activity', '2026-11-16T17:30:00.000Z'],
    ['hidden-2', 'Custom activity', '2026-11-16T17:30:00.000Z'],
  ]);
});

test('[3.26] an activity of somebody this service has not heard of yet is shown all the same', () => {
  const [recent] = dashboard.recent.map((movement) => ({ ...movement, userName: null, teamEmoji: null }));
  const { recentActivities } = dashboardOf({ ...dashboard, recent: recent ? [recent] : [] });
  expect(recentActivities[0]).toMatchObject({ userName: 'A teammate', teamEmoji: '' });
});
