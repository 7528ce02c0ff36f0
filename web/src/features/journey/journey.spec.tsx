import type { Checkpoint, Journey } from '@caravan/contracts/http/journeys';
import { screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { chooseUnits } from '../../lib/units.ts';
import { openApp, serveApi, signedInAs, type Api } from '../../testing/app.tsx';

const checkpoint = (name: string, mileMark: number, longitude: number): Checkpoint => ({
  name,
  country: 'Spain',
  mileMark,
  longitude,
  latitude: 42.5,
  story: `The story of ${name}.`,
});

const journey: Journey = {
  route: {
    id: 'camino',
    name: 'Camino Francés',
    totalMiles: 484,
    checkpoints: [
      checkpoint('Saint-Jean', 0, -1.2),
      checkpoint('Pamplona', 43, -1.6),
      checkpoint('Burgos', 176, -3.7),
      checkpoint('Santiago', 484, -8.5),
    ],
  },
  startedAt: '2026-11-02T00:00:00.000Z',
  teams: [
    {
      id: 't2',
      name: 'Blazers',
      emoji: '🔥',
      miles: 12,
      lastCheckpoint: 'Saint-Jean',
      nextCheckpoint: 'Pamplona',
      milesToNext: 31,
    },
    {
      id: 't1',
      name: 'Thunder',
      emoji: '⚡',
      miles: 163.6,
      lastCheckpoint: 'Pamplona',
      nextCheckpoint: 'Burgos',
      milesToNext: 12.4,
    },
  ],
  reached: [{ checkpoint: 'Pamplona', reachedAt: '2026-11-09T10:00:00.000Z' }],
  routes: [
    { id: 'camino', name: 'Camino Francés', totalMiles: 484 },
    { id: 'wall', name: "Hadrian's Wall Path", totalMiles: 84 },
  ],
};

function open(path: string, api: Api = {}) {
  signedInAs();
  serveApi({ 'GET /api/journey': { body: journey }, ...api });
  return openApp(path);
}

test('[D33] the journey tells the next stop and the miles left in words, and every team beside the map', async () => {
  open('/journey');
  expect(await screen.findByRole('heading', { name: '⚡ Thunder: 12.4 miles to Burgos' })).toBeDefined();
  expect(screen.getByText('Camino Francés · 484 miles · since November 2, 2026')).toBeDefined();
  const teams = within(screen.getByRole('region', { name: 'Teams on the way' })).getAllByRole('listitem');
  expect(teams.map(({ textContent }) => textContent)).toEqual([
    '⚡Thunder your team12.4 mi to Burgos163.6 mi',
    '🔥Blazers 31.0 mi to Pamplona12.0 mi',
  ]);
});

test('[1.4 D33 D37] the map is a picture with a name; a table tells the same', async () => {
  open('/journey');
  const map = await screen.findByRole('img', { name: /Map of Camino Francés from Saint-Jean to Santiago/ });
  expect([...map.querySelectorAll('title')].map(({ textContent }) => textContent).toSorted()).toEqual([
    'Blazers',
    'Thunder',
  ]);
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim()))).toEqual([
    ['Saint-JeanSpain', '0', 'Reached', '⚡ Thunder 🔥 Blazers'],
    ['PamplonaSpain', '43', 'Reached Nov 9', '⚡ Thunder'],
    ['BurgosSpain', '176', '12.4 mi to go', '–'],
    ['SantiagoSpain', '484', '320.4 mi to go', '–'],
  ]);
});

test('[D33] a stop that is reached has a postcard with story, place and date; one ahead has none', async () => {
  open('/journey');
  const cards = within(await screen.findByRole('region', { name: 'Postcards' })).getAllByRole('button');
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    'PamplonaNovember 9, 2026',
    'Saint-JeanWhere the way began',
  ]);
  await userEvent.click(cards[0] ?? document.body);
  const dialog = await screen.findByRole('dialog', { name: 'Greetings from Pamplona' });
  expect(within(dialog).getByText('The story of Pamplona.')).toBeDefined();
  expect(dialog.textContent).toContain('Pamplona, Spain\u00a0· November 9, 2026');
});

test('[9.22 D33] the journey speaks in kilometers to who chose them', async () => {
  chooseUnits('metric');
  open('/journey');
  expect(await screen.findByRole('heading', { name: '⚡ Thunder: 20.0 km to Burgos' })).toBeDefined();
  chooseUnits('imperial');
});

test('[D33] the dashboard shows the next stop and leads to the map', async () => {
  open('/dashboard');
  const way = await screen.findByRole('link', { name: 'Next stop: Burgos, 12.4 miles' });
  expect(way.getAttribute('href')).toBe('/journey');
  expect(screen.getByText('Thunder has passed Pamplona.')).toBeDefined();
});

test('[D33] who has not set out, and whom the server does not answer, is told so', async () => {
  let status = 404;
  open('/journey', { 'GET /api/journey': () => ({ status, body: {} }) });
  expect(await screen.findByText('The caravan has not set out yet')).toBeDefined();
  status = 500;
  const { queryClient } = open('/journey', { 'GET /api/journey': () => ({ status, body: {} }) });
  await waitFor(() => expect(queryClient.getQueryState(['/api/journey'])?.status).toBe('error'));
  expect(await screen.findByText('The journey could not be loaded')).toBeDefined();
});
