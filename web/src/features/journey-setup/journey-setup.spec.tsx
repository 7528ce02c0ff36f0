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

function open(api: Api = {}) {
  signedInAs({ role: 'admin' });
  const calls = serveApi({ 'GET /api/journey': { body: journey }, 'PUT /api/journey': { body: journey }, ...api });
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
