import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { me, openApp, pathsOf, serveApi, signedInAs } from './testing/app.tsx';

afterEach(() => void vi.restoreAllMocks());

// Half past one at night of the 21st in Auckland; still the 20th in Europe and America.
const startedAt = '2026-11-20T12:30:00.000Z';
const log = { id: 'l1', activityType: 'Walking', durationMinutes: 30, distanceMiles: 3, startedAt };
const entry = {
  at: startedAt,
  kind: 'log',
  miles: 3,
  totalMiles: 3,
  explanation: 'Walking for 30 min',
  on: '2026-11-21',
};

function openAt(path: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T09:00:00.000Z') });
  signedInAs();
  const calls = serveApi({
    'GET /api/me': { body: { ...me, timeZone: 'Pacific/Auckland' } },
    'GET /api/logs': { body: [{ ...log, createdAt: startedAt }] },
    'GET /api/miles': { body: { entries: [entry], days: [{ on: entry.on, miles: 3 }], totalMiles: 3 } },
    'GET /api/notifications': {
      body: [{ id: 'n1', kind: 'badge-earned', text: 'A badge', link: '/badges', createdAt: startedAt }],
    },
    'GET /api/audit': {
      body: [{ id: 'a1', at: startedAt, kind: 'team', act: 'team.formed', actor: null, device: null }],
    },
  });
  openApp(path);
  return calls;
}

afterEach(() => void vi.useRealTimers());

test('[D10] a log has the date of the member’s zone in the list, in the correction and in the ledger', async () => {
  const calls = openAt('/profile');
  const movements = within(await screen.findByRole('region', { name: 'Your movements' }));
  expect((await movements.findByRole('listitem')).textContent).toContain('Nov 21, 1:30');
  fireEvent.change(movements.getByLabelText('From'), { target: { value: '2026-11-21' } });
  await waitFor(() => expect(pathsOf(calls).some((path) => path.includes('from=2026-11-21'))).toBe(true));
  await userEvent.click(await movements.findByRole('button', { name: /^Correct Walking/ }));
  expect((await screen.findByLabelText<HTMLInputElement>('Started')).value).toBe('2026-11-21T01:30');
});

test('[D9 D10] the ledger says of no entry that it was entered on another day than the member’s', async () => {
  openAt('/miles');
  const day = await screen.findByRole('region', { name: 'Saturday, November 21, 2026' });
  expect(day.textContent).toContain('1:30');
  expect(day.textContent).not.toContain('entered on');
});

test('[D34 D10] notices stand under the days of the member’s zone', async () => {
  openAt('/notifications');
  expect(await screen.findByRole('heading', { name: 'Yesterday' })).toBeDefined();
});

test('[9.24 D10] year and ledger are right whatever order and signs the browser writes dates in', async () => {
  const { DateTimeFormat } = Intl;
  // As ICU 72 writes Canadian dates.
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (locale, options) {
    return new DateTimeFormat(locale === 'en-CA' ? 'en-US' : locale, options);
  });
  openAt('/profile');
  expect(await screen.findByRole('region', { name: 'Your 2026' })).toBeDefined();
});
