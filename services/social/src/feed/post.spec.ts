import { feedPostSchema } from '@caravan/contracts/http/feed';
import { expect, test } from 'vitest';
import { feedPostOf } from './post.ts';
import type { Post } from './post.ts';

const post: Post = {
  id: '019a8c10-0000-7000-8000-000000000041',
  userName: 'Maya Okafor',
  userPhotoUrl: '/photos/maya.webp',
  profileId: 'maya',
  activityType: 'Walking',
  durationMinutes: 30,
  centimiles: 300,
  source: 'timer',
  caption: 'Along the canal',
  createdAt: new Date('2026-11-16T17:31:00.000Z'),
  reactions: { '💪': 2, '🙌': 1 },
  myReactions: ['🙌'],
  comments: 2,
};

test('[3.39 D41] a post is shown under the id of its log, as the contract says', () => {
  expect(feedPostSchema.parse(feedPostOf(post))).toEqual({
    id: post.id,
    user: { name: 'Maya Okafor', avatar: '/photos/maya.webp', profileId: 'maya' },
    createdAt: '2026-11-16T17:31:00.000Z',
    source: 'timer',
    activityType: 'Walking',
    distanceMiles: '3.00',
    durationMinutes: 30,
    caption: 'Along the canal',
    photoUrl: null,
    reactions: { '💪': 2, '🙌': 1 },
    myReactions: ['🙌'],
    comments: 2,
  });
});

test.each([
  [300, '3.00'],
  [150, '1.50'],
  [101, '1.01'],
  [10, '0.10'],
  [14_400, '144.00'],
])('[3.39] %i hundredths of a mile read %j', (centimiles, text) => {
  expect(feedPostOf({ ...post, centimiles }).distanceMiles).toBe(text);
});

test('[3.39] a post of somebody this service has not heard of yet has a name all the same', () => {
  expect(feedPostOf({ ...post, userName: null, userPhotoUrl: null, profileId: null }).user).toEqual({
    name: 'A teammate',
    avatar: null,
    profileId: null,
  });
});
