import type { FitnessAccount, FitnessStatus } from '@caravan/contracts/http/fitness';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { openApp, serveApi, signedInAs, type Api } from '../../../testing/app.tsx';
import { toast } from '../../../ui/toast-state.ts';

export const lastSyncDate = '2026-11-20T08:30:00.000Z';

/** With the athlete or user id of whom is connected. */
export const statusOf = (strava: string | null, fitbit: string | null, at: string | null = null): FitnessStatus => ({
  strava: { connected: strava !== null, athleteId: strava },
  fitbit: { connected: fitbit !== null, userId: fitbit },
  lastSyncDate: at,
});

const usual: FitnessAccount = {
  provider: 'strava',
  state: 'not-connected',
  providerUserId: null,
  connectedAt: null,
  lastSyncedAt: null,
  isScored: false,
  audience: 'owner',
  importCount: 0,
  backfill: null,
};

export const strava = (account: Partial<FitnessAccount> = {}): FitnessAccount => ({ ...usual, ...account });
export const fitbit = (account: Partial<FitnessAccount> = {}): FitnessAccount => ({
  ...usual,
  provider: 'fitbit',
  audience: 'organisation',
  isScored: true,
  ...account,
});

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Where the page is sent to; jsdom knows no other page to go to. */
export function departures(): string[] {
  const left: string[] = [];
  const here = location;
  const get = (_target: object, name: string | symbol): unknown =>
    name === 'assign' ? (address: string) => left.push(address) : Reflect.get(here, name);
  vi.stubGlobal('location', new Proxy({}, { get }));
  return left;
}

/** The row of a device, once it is drawn. */
export async function rowOf(device: string): Promise<HTMLElement> {
  const row = (await screen.findByRole('heading', { level: 3, name: device })).closest('li');
  if (!row) throw new Error(`${device} stands in no row.`);
  return row;
}

export function open(path: string, api: Api = {}) {
  // Takes the place of what the test before had said.
  toast({ title: 'Nothing yet' });
  signedInAs();
  const calls = serveApi({
    'GET /api/fitness/status': { body: statusOf(null, null) },
    'GET /api/fitness/accounts': { body: [strava(), fitbit()] },
    ...api,
  });
  return { calls, ...openApp(path) };
}
