import type { ShownPhoto } from '@caravan/contracts/http/photos';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, pathsOf, serveApi, signedInAs, type Answer } from '../../testing/app.tsx';

const bare = '/objects/photos/p1';
const addressOf = (size: number, turn: number) => `${bare}/${size}.webp?viewer=o&expires=${turn}&signature=s${turn}`;
const photoOf = (turn = 1, more: Partial<ShownPhoto> = {}): ShownPhoto => ({
  alt: 'A canal at dawn',
  width: 1280,
  height: 960,
  thumbHash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  srcSet: `${addressOf(280, turn)} 280w, ${addressOf(1280, turn)} 1280w`,
  ...more,
});
const post = (turn = 1, photo: ShownPhoto | null | undefined = photoOf(turn)) => ({
  id: 'p1',
  user: { name: 'Lena Brandt', avatar: `/objects/photos/f1/64.webp?t=${turn}`, profileId: 'l1' },
  createdAt: '2026-11-20T08:00:00.000Z',
  activityType: 'Walking',
  distanceMiles: '3.00',
  durationMinutes: 30,
  source: 'timer',
  caption: null,
  reactions: {},
  myReactions: [],
  comments: 0,
  photoUrl: addressOf(640, turn),
  photo,
});

function open(answer: Answer | (() => Answer)) {
  signedInAs();
  const calls = serveApi({ 'GET /api/feed/all': answer });
  const { queryClient } = openApp('/feed');
  return { again: () => queryClient.refetchQueries({ queryKey: ['/api/feed'] }), calls };
}
const shapeOf = (place: HTMLElement | null) => Number(place?.style.getPropertyValue('--shape'));
const findPhoto = () => screen.findByRole<HTMLImageElement>('img', { name: 'A canal at dawn' });

test('[2.89 3.39] a post’s photo says what it shows, leaves the size to the browser, and its place is there before it', async () => {
  open({ body: [post()] });
  const image = await findPhoto();
  expect([image.getAttribute('src'), image.srcset]).toEqual([addressOf(640, 1), photoOf().srcSet]);
  expect(['loading', 'sizes', 'width', 'height'].map((name) => image.getAttribute(name))).toEqual([
    'lazy',
    expect.any(String),
    '1280',
    '960',
  ]);
  const place = image.parentElement;
  expect(shapeOf(place)).toBeCloseTo(4 / 3);
  await waitFor(() => expect(place?.style.backgroundImage).toMatch(/^url\("data:image\/png;base64,/));
});

test('[2.89 S36] a photo that nobody described, or of which nothing but the address is known, is named by a plain sentence', async () => {
  open({ body: [post(1, photoOf(1, { alt: null, width: 100, height: 900, thumbHash: '?' }))] });
  const image = await screen.findByRole('img', { name: 'Photo by Lena Brandt: Walking' });
  // No taller than a screen.
  expect(shapeOf(image.parentElement)).toBeCloseTo(4 / 5);
});

test('[2.89] an address alone is enough for a photo', async () => {
  open({ body: [post(1, null)] });
  const image = await screen.findByRole<HTMLImageElement>('img', { name: 'Photo by Lena Brandt: Walking' });
  expect([image.getAttribute('src'), image.srcset, image.hasAttribute('width')]).toEqual([
    addressOf(640, 1),
    '',
    false,
  ]);
});

test('[2.89] a picture that is shown stays when its list is read again; another photo takes its place', async () => {
  let turn = 1;
  const { again } = open(() => ({
    body: [turn < 3 ? post(turn) : { ...post(turn), photoUrl: '/objects/photos/p2/640.webp?t=3' }],
  }));
  const image = await findPhoto();
  turn = 2;
  await again();
  expect([image.getAttribute('src'), image.srcset]).toEqual([addressOf(640, 1), photoOf().srcSet]);
  turn = 3;
  await again();
  await waitFor(async () => expect((await findPhoto()).getAttribute('src')).toBe('/objects/photos/p2/640.webp?t=3'));
});

test('[2.89] where an address has ended the list is quietly read again, and what is gone leaves its place', async () => {
  let turn = 1;
  const { calls } = open(() => ({ body: [post(turn)] }));
  const image = await findPhoto();
  const countRequests = () => pathsOf(calls).filter((path) => path.startsWith('GET /api/feed/all')).length;
  const before = countRequests();
  turn = 2;
  fireEvent.error(image);
  await waitFor(async () => expect((await findPhoto()).getAttribute('src')).toBe(addressOf(640, 2)));
  expect(countRequests()).toBe(before + 1);
  fireEvent.error(await findPhoto());
  await waitFor(async () => expect((await findPhoto()).tagName).toBe('SPAN'));
  expect(shapeOf(await findPhoto())).toBeCloseTo(4 / 3);
  await waitFor(() => expect(countRequests()).toBe(before + 2));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[2.89] a face lies on the initials, which are there when it cannot be loaded', async () => {
  let turn = 1;
  open(() => ({ body: [post(turn)] }));
  await findPhoto();
  const faceOf = () => screen.getByText('LB').parentElement?.querySelector('img');
  const face = faceOf();
  expect(['src', 'loading', 'width', 'alt'].map((name) => face?.getAttribute(name))).toEqual([
    '/objects/photos/f1/64.webp?t=1',
    'lazy',
    '44',
    '',
  ]);
  turn = 2;
  if (face) fireEvent.error(face);
  await waitFor(() => expect(faceOf()?.getAttribute('src')).toBe('/objects/photos/f1/64.webp?t=2'));
  const again = faceOf();
  if (again) fireEvent.error(again);
  expect(faceOf()).toBeNull();
});

test('[2.98 3.43] an activity’s photo is shown the same way', async () => {
  signedInAs();
  const { id, createdAt, activityType, photoUrl, photo } = post();
  const activity = { id, createdAt, activityType, photoUrl, photo, kind: 'movement', userName: 'Lena Brandt' };
  serveApi({ 'GET /api/activity-feed/all': { body: { activities: [activity], hasMore: false } } });
  openApp('/activity-feed');
  expect((await findPhoto()).srcset).toBe(photoOf().srcSet);
});

test('[2.98] a card without anything but what the specification names shows its photo all the same', async () => {
  signedInAs();
  const activity = { id: 'a1', userName: 'Lena Brandt', activityType: 'Walking', photoUrl: '/photo.jpg' };
  serveApi({ 'GET /api/activity-feed/all': { body: { activities: [activity], hasMore: false } } });
  openApp('/activity-feed');
  const image = await screen.findByRole('img', { name: 'Photo by Lena Brandt: Walking' });
  expect(image.getAttribute('src')).toBe('/photo.jpg');
});
