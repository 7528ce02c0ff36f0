import type { Journey } from '@caravan/contracts/http/journeys';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noticeOf, openApp, sentTo, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const journey: Journey = {
  route: {
    id: 'wall',
    name: "Hadrian's Wall Path",
    totalMiles: 84,
    checkpoints: [
      { name: 'Wallsend', country: 'England', mileMark: 0, longitude: -1.5, latitude: 55, story: '' },
      { name: 'Bowness', country: 'England', mileMark: 84, longitude: -3.2, latitude: 54.9, story: '' },
    ],
  },
  startedAt: '2026-11-02T00:00:00.000Z',
  teams: [],
  reached: [],
  routes: [
    { id: 'wall', name: "Hadrian's Wall Path", totalMiles: 84 },
    { id: 'camino', name: 'Camino Francés', totalMiles: 484 },
  ],
};

const camino = {
  id: 'camino',
  name: 'Camino Francés',
  totalMiles: 484,
  checkpoints: [
    { name: 'Saint-Jean', country: 'France', mileMark: 0, longitude: -1.2, latitude: 43.2, story: '' },
    { name: 'Burgos', country: 'Spain', mileMark: 176, longitude: -3.7, latitude: 42.3, story: '' },
    { name: 'Santiago', country: 'Spain', mileMark: 484, longitude: -8.5, latitude: 42.9, story: '' },
  ],
};

function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({
    'GET /api/journey': { body: journey },
    'PUT /api/journey': { body: journey },
    'GET /api/journey/routes': { body: [journey.route, camino] },
    ...api,
  });
  openApp('/admin/journey');
  return calls;
}

test('[D33] admins see the running route on its map and choose another with its first day', async () => {
  const calls = open();
  expect(await screen.findByRole('img', { name: "Map of Hadrian's Wall Path" })).toBeDefined();
  const choice = within(screen.getByRole('region', { name: 'Set out anew' }));
  await userEvent.selectOptions(choice.getByLabelText('Route'), 'Camino Francés · 484 mi');
  await userEvent.type(choice.getByLabelText('First day'), '2026-11-16');
  await userEvent.click(choice.getByRole('button', { name: 'Set out' }));
  expect(await noticeOf('Camino Francés begins')).toContain('Every team stands');
  expect(await sentTo(calls, 'PUT /api/journey')).toEqual({ routeId: 'camino', startsOn: '2026-11-16' });
});

test('[D33] the highlighted route is looked at before it is chosen: its map, and its stops in words', async () => {
  open();
  await screen.findByRole('img', { name: "Map of Hadrian's Wall Path" });
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Route'), 'Camino Francés · 484 mi');
  const preview = within(await screen.findByRole('region', { name: 'Preview' }));
  expect(preview.getByRole('img', { name: 'Map of Camino Francés' })).toBeDefined();
  expect(preview.getByText('From Saint-Jean to Santiago')).toBeDefined();
  const stops = within(preview.getByRole('list', { name: 'Stops' })).getAllByRole('listitem');
  expect(stops.map(({ textContent }) => textContent)).toEqual(['Saint-Jean 0 mi', 'Burgos 176 mi', 'Santiago 484 mi']);
});

test('[D33] a route whose map does not load can be chosen all the same', async () => {
  const calls = open({ 'GET /api/journey/routes': { status: 500, body: {} } });
  await userEvent.selectOptions(await screen.findByLabelText('Route'), 'Camino Francés · 484 mi');
  expect(await screen.findByText('The map could not be loaded')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Set out' }));
  expect(await noticeOf('Camino Francés begins')).toContain('Every team stands');
  expect(await sentTo(calls, 'PUT /api/journey')).toEqual({ routeId: 'camino' });
});

test('[D33 D38] what the server says of the first day stands at the field', async () => {
  open({
    'PUT /api/journey': {
      status: 422,
      body: { status: 422, message: 'Invalid', errors: [{ path: 'startsOn', message: 'Not in the future' }] },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Set out' }));
  expect(await screen.findByText('Not in the future')).toBeDefined();
});
