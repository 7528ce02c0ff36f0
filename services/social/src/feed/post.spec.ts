import { feedPostSchema } from '@caravan/contracts/http/feed';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { expect, test } from 'vitest';
import { feedPostOf } from './post.ts';
import type { Post } from './post.ts';

const addresses = new PhotoAddresses('key-of-photos-of-thirty-two-letters');
const orgId = '019a8c10-0000-7000-8000-000000000011';
const at = new Date('2026-11-16T18:00:00.000Z');
const signing = { addresses, orgId, at };
const face = '/objects/photos/019a8c10-0000-7000-8000-000000000061';

const post: Post = {
  id: '019a8c10-0000-7000-8000-000000000041',
  userName: 'Maya Okafor',
  userPhotoUrl: face,
  profileId: 'maya',
  activityType: 'Walking',
  durationMinutes: 30,
  centimiles: 300,
  source: 'timer',
  caption: 'Along the canal',
  photoPath: null,
  photo: null,
  shownTo: null,
  createdAt: new Date('2026-11-16T17:31:00.000Z'),
  reactions: { '💪': 2, '🙌': 1 },
  myReactions: ['🙌'],
  comments: 2,
};

test('[3.39 D41] a post is shown under the id of its log, as the contract says', () => {
  expect(feedPostSchema.parse(feedPostOf(post, signing))).toEqual({
    id: post.id,
    user: { name: 'Maya Okafor', avatar: addresses.face(face, signing), profileId: 'maya' },
    createdAt: '2026-11-16T17:31:00.000Z',
    source: 'timer',
    activityType: 'Walking',
    distanceMiles: '3.00',
    durationMinutes: 30,
    caption: 'Along the canal',
    photoUrl: null,
    photo: null,
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
  expect(feedPostOf({ ...post, centimiles }, signing).distanceMiles).toBe(text);
});

test('[3.39] a post of somebody this service has not heard of yet has a name all the same', () => {
  expect(feedPostOf({ ...post, userName: null, userPhotoUrl: null, profileId: null }, signing).user).toEqual({
    name: 'A teammate',
    avatar: null,
    profileId: null,
  });
});

test.each([
  [null, `viewer=${orgId}&`],
  ['019a8c10-0000-7000-8000-000000000031', `viewer=${orgId}.019a8c10-0000-7000-8000-000000000031&`],
])('[3.39 D21] the photo of a post that %j alone sees is signed for whoever sees it', (shownTo, viewer) => {
  const photo = { width: 1_280, height: 960, thumbHash: 'x', alt: 'A canal' };
  const shown = feedPostOf({ ...post, photoPath: face, photo, shownTo }, signing);
  expect(shown.photoUrl).toContain(`${face}/640.webp?${viewer}`);
  expect(shown.photo).toMatchObject(photo);
  expect(shown.photo?.srcSet.split(', ').map((one) => one.includes(viewer))).toEqual([true, true, true]);
});
