import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serveApi, signedInAs, type Api } from './testing/app.tsx';

// What section 3 of the specification and D39 name, and nothing else (D44).
const me = {
  id: 'me',
  name: 'Maya Okafor',
  email: 'maya@example.org',
  role: 'admin',
  totalMiles: '128.40',
  team: { id: 'thunder', name: 'Thunder', emoji: '⚡' },
};
const post = {
  id: 'p1',
  user: { name: 'Omar', avatar: null },
  createdAt: '2026-11-20T08:00:00Z',
  source: 'rowing-machine',
  activityType: 'Walking',
  distanceMiles: '1.50',
  durationMinutes: 15,
  caption: null,
  photoUrl: null,
  reactions: { '💪': 2 },
};
const least: Api = {
  'GET /api/me': { body: me },
  'GET /api/org/branding': {
    body: { primaryColor: '#ea580c', welcomeMessage: 'Welcome', name: 'Harbour', logoUrl: null },
  },
  'GET /api/bonus-challenge': {
    body: {
      id: 'b',
      title: 'Lunch walk',
      description: 'Walk',
      activityType: 'Walking',
      targetDurationMinutes: 30,
      targetDistanceMiles: null,
      multiplier: 2,
      expiresAt: '2100-01-01T00:00:00Z',
      isActive: true,
    },
  },
  'GET /api/weekly-challenges': {
    body: [
      {
        id: 'w',
        name: 'Five miles',
        description: 'Walk',
        targetValue: 5,
        targetUnit: 'miles',
        bonusMiles: 2,
        challengeType: 'individual',
      },
    ],
  },
  'GET /api/weekly-challenges/w/progress': { body: { currentProgress: 3, bonusAwarded: false } },
  'GET /api/dashboard/stats': {
    body: {
      userRank: 3,
      weeklyMiles: 3.2,
      recentActivities: [
        { id: 'a', teamEmoji: '🔥', userName: 'Omar', activityType: 'Walking', miles: '1.5', timeAgo: '2 hours ago' },
      ],
    },
  },
  'GET /api/user-activities/frequent': { body: [{ id: 'f', activityName: 'Gardening', usageCount: 3 }] },
  'GET /api/leaderboard': {
    body: {
      users: ['me', 'u2', 'u3', 'u4'].map((id, index) => ({
        id,
        rank: index + 1,
        name: `Walker ${id}`,
        teamName: 'Thunder',
        teamEmoji: '⚡',
        photoUrl: null,
        totalMiles: '128.40',
        weeklyMiles: 3.2,
      })),
      teams: [{ id: 'thunder', rank: 1, name: 'Thunder', emoji: '⚡', memberCount: 4, totalMiles: '256.80' }],
      userPosition: 1,
      teamPosition: 1,
    },
  },
  'GET /api/fitness/status': { body: { strava: { connected: false }, fitbit: { connected: true, userId: '7' } } },
  'GET /api/feed/all': { body: [post] },
  'GET /api/feed/mine': { body: [post] },
  'GET /api/feed/team': { body: [post] },
  'GET /api/activity-feed/all': {
    body: {
      activities: [
        {
          id: 'p1',
          userName: 'Omar',
          userPhotoUrl: null,
          teamName: 'Blazers',
          teamEmoji: '🔥',
          activityType: 'Walking',
          durationMinutes: 15,
          distanceMiles: 1.5,
          photoPrompt: null,
          photoUrl: null,
          location: null,
          createdAt: '2026-11-20T08:00:00Z',
          timeAgo: '2 hours ago',
          heartRate: null,
          reactions: { likes: 2, comments: 0 },
          calories: null,
          bonusChallengeId: null,
          isBonusChallenge: true,
        },
      ],
      hasMore: false,
    },
  },
  'GET /api/user/badges': {
    body: [{ badgeName: 'First Steps', badgeIcon: '👣', dateEarned: '2026-03-09T10:00:00Z' }],
  },
  'GET /api/badges/all': {
    body: [
      {
        badgeId: '1',
        badgeName: 'First Steps',
        badgeIcon: '👣',
        description: 'One',
        requirement: 'Log once',
        category: 'Milestones',
        isEarned: true,
        dateEarned: '2026-03-09T10:00:00Z',
        progress: { current: 1, target: 1, progressText: '1 / 1' },
      },
    ],
  },
  'GET /api/users/me': {
    body: {
      name: 'Maya Okafor',
      bio: null,
      location: null,
      favoriteActivity: null,
      profilePhotoUrl: null,
      totalMiles: '128.40',
      streakCount: 12,
      teamName: 'Thunder',
      teamEmoji: '⚡',
      badges: ['First Steps'],
    },
  },
  'GET /api/me/settings': {
    body: {
      profile: { name: 'Maya Okafor', email: 'maya@example.org', phone: null, bio: null },
      notifications: { email: true, push: true, teamUpdates: true, weeklyReports: true },
      privacy: { profileVisible: true, activityVisible: true, statsVisible: true, shareHeartRate: true },
      preferences: { darkMode: true, units: 'imperial' },
      fitnessDevices: {},
    },
  },
  'GET /api/logs': {
    body: [
      {
        id: 'l',
        activityType: 'Walking',
        durationMinutes: 15,
        distanceMiles: '1.50',
        createdAt: '2026-11-20T08:00:00Z',
        source: 'manual',
      },
    ],
  },
  'GET /api/miles': {
    body: {
      entries: [{ at: '2026-11-20T08:00:00Z', kind: 'log', miles: 1.5, explanation: 'A walk' }],
      totalMiles: 1.5,
    },
  },
  'GET /api/me/sessions': { body: [] },
  'GET /api/journey': { status: 404, body: {} },
  'GET /api/members': {
    body: [
      {
        id: 'm',
        name: 'Omar',
        email: 'omar@example.org',
        role: 'member',
        team: me.team,
        isActive: true,
        totalMiles: 12,
        lastActivityDate: null,
      },
    ],
  },
  'GET /api/teams': { body: [{ id: 'thunder', name: 'Thunder', emoji: '⚡' }] },
  'GET /api/invites': {
    body: [
      {
        id: 'i',
        code: 'ABC',
        url: 'http://localhost/signup?invite=ABC',
        expiresAt: null,
        maxUses: null,
        uses: 0,
        domains: [],
      },
    ],
  },
  'GET /api/challenge-templates': { body: [] },
};

/** By path: what it says of the little that it knows. */
const screens: [path: string, ...says: (string | RegExp)[]][] = [
  ['/', "Let's go, Maya Okafor", '128.4', '#3', /2 hours ago/, /Lunch walk/, 'Five miles'],
  ['/leaderboard', 'Scoreboard', /128\.4/],
  ['/timer', 'Timer', 'Gardening'],
  ['/feed', 'Activity Feed', 'Omar', 'Manual'],
  ['/activity-feed', 'Team Activity', 'Omar', 'Bonus challenge: double miles'],
  ['/badges', 'Badge Gallery', /Your Streak Badges/],
  ['/profile', 'Profile', 'maya@example.org', /128\.4/],
  ['/user/me', 'Maya Okafor', '128.4', 'First Steps', 'Edit Profile'],
  ['/settings', 'Settings', 'Connected'],
  ['/explore', 'Explore', 'Five miles'],
  ['/miles', 'Why this total?', 'A walk'],
  ['/journey', 'The journey'],
  ['/admin', 'Admin Dashboard'],
  ['/admin/members', 'Members', /Omar/],
  ['/admin/teams', 'Teams', /Thunder/],
  ['/admin/invites', 'Invites'],
];

test.each(screens)('[D44] %s is drawn from the fields of the specification alone', async (path, ...says) => {
  localStorage.setItem('token', 'any');
  localStorage.setItem('user', JSON.stringify({ name: 'Maya Okafor', role: 'admin', profilePhotoUrl: null }));
  serveApi(least);
  openApp(path);
  await screen.findByRole('heading', { level: 1 });
  for (const text of says) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.queryByText('Loading')).toBeNull());
  expect(screen.queryByText(/stumbled|could not be loaded/)).toBeNull();
  expect(document.body.textContent).not.toMatch(/NaN|undefined|null|Invalid Date|\[object/);
});

test('[D44 3.20] the own session needs no id to be one’s own alone', async () => {
  localStorage.setItem('token', 'any');
  localStorage.setItem('user', JSON.stringify({ name: 'Maya Okafor' }));
  serveApi(least);
  const { queryClient } = openApp('/explore');
  await screen.findByText('Five miles');
  expect(queryClient.getQueryData(['/api/me'])).toBeDefined();
  cleanup();
  signedInAs({ name: 'Another' });
  dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: 'Another' }));
  await waitFor(() => expect(localStorage.getItem('user')).toContain('Another'));
});
