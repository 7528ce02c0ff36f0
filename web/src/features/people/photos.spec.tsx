import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const photo = (id: string, alt: string | null) => ({
  id,
  activityType: 'Walking',
  caption: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  photoUrl: `/objects/photos/${id}/640.webp?t=1`,
  photo: { alt, width: 1280, height: 960, thumbHash: '1QcSHQRnh493V4dIh4eXh1h4kJUI', srcSet: `/${id}.webp 280w` },
});

async function open(answer: Api[string]) {
  signedInAs();
  serveApi({ 'GET /api/logs': { body: [] }, 'GET /api/users/u1/photos': answer });
  openApp('/profile');
  await userEvent.click(await screen.findByRole('tab', { name: 'Photos' }));
}
const rows = () => screen.findAllByRole('link', { name: /canal|Photo of a workout/ });

test('[2.107] the photos tab hangs one’s photos up, newest first, each a way to its post, and more when asked for', async () => {
  const next = { link: '</api/users/u1/photos?limit=24&cursor=c2>; rel="next"' };
  await open((request) =>
    new URL(request.url).searchParams.get('cursor') === 'c2'
      ? { body: [photo('b3', 'Third canal')] }
      : { body: [photo('b1', 'A canal'), photo('b2', null)], headers: next },
  );
  const links = await rows();
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/feed/b1', '/feed/b2']);
  const images = links.map((link) => within(link).getByRole<HTMLImageElement>('img'));
  expect(images.map(({ alt }) => alt)).toEqual(['A canal', 'Photo of a workout: Walking']);
  expect(images.map((image) => [image.getAttribute('loading'), image.srcset])).toEqual([
    ['lazy', '/b1.webp 280w'],
    ['lazy', '/b2.webp 280w'],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('img', { name: 'Third canal' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('[2.107] without photos the tab says so and leads to the timer', async () => {
  await open({ body: [] });
  expect(await screen.findByText('No photos yet')).toBeDefined();
  const link = screen.getAllByRole('link', { name: 'Start the timer' }).at(-1);
  expect(link?.getAttribute('href')).toBe('/timer');
});

test('[2.107] photos that could not be loaded are asked for again', async () => {
  let isBroken = true;
  await open(() =>
    isBroken ? { status: 422, body: { status: 422, message: 'No' } } : { body: [photo('b1', 'A canal')] },
  );
  expect(await screen.findByText('Photos could not be loaded')).toBeDefined();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: /again/i }));
  expect(await screen.findByRole('img', { name: 'A canal' })).toBeDefined();
});

test.each([
  ['hang in the profile', [photo('b1', 'A canal')], 1],
  ['leave no empty frame where there are none', [], 0],
])('[2.102] a colleague’s photos %s', async (_, photos, frames) => {
  signedInAs();
  const colleague = { id: 'l1', name: 'Lena Brandt', isSelf: false };
  let isAsked = false;
  serveApi({
    'GET /api/users/l1': { body: colleague },
    'GET /api/users/l1/photos': () => {
      isAsked = true;
      return { body: photos };
    },
  });
  openApp('/user/l1');
  await screen.findByRole('heading', { name: /Lena Brandt/ });
  await waitFor(() => expect(isAsked).toBe(true));
  await waitFor(() => expect(screen.queryAllByRole('heading', { name: 'Photos' })).toHaveLength(frames));
  expect(screen.queryAllByRole('img', { name: 'A canal' })).toHaveLength(frames);
});
