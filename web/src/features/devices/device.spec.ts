import type { FitnessAccount, FitnessStatus } from '@caravan/contracts/http/fitness';
import { expect, test } from 'vitest';
import { arrivalOf, isIos, platformOf, searchOf } from './device.ts';

const status: FitnessStatus = {
  strava: { connected: true, athleteId: '4711' },
  fitbit: { connected: false, userId: null },
  lastSyncDate: null,
};
const account: FitnessAccount = {
  provider: 'fitbit',
  state: 'not-connected',
  providerUserId: null,
  connectedAt: null,
  lastSyncedAt: null,
  isScored: true,
  audience: 'organisation',
  importCount: 0,
  backfill: null,
};

test('[2.82 D44] the status alone says what is connected, and with whom', () => {
  expect(platformOf('strava', status, null)).toMatchObject({ state: 'connected', userId: '4711' });
  expect(platformOf('fitbit', status, undefined)).toMatchObject({ state: 'not-connected', userId: null });
  expect(platformOf('strava', status, [{ ...account, provider: 'strava' }]).state).toBe('connected');
});

test('[D22] an account adds why something is not connected', () => {
  expect(platformOf('fitbit', status, [{ ...account, state: 'not-set-up' }]).state).toBe('not-set-up');
  expect(platformOf('fitbit', status, [{ ...account, state: 'reconnect' }]).state).toBe('reconnect');
  const strava = { ...account, provider: 'strava', state: 'reconnect' } as const;
  expect(platformOf('strava', status, [strava])).toMatchObject({ state: 'reconnect', account: strava });
});

test('[2.78 2.79] an address means one row at most, and nothing that it makes up', () => {
  expect(arrivalOf({ connect: 'google-fit' })).toEqual({ device: 'google-fit', outcome: undefined });
  expect(arrivalOf({ connect: 'pebble' })).toEqual({ device: undefined, outcome: undefined });
  expect(arrivalOf({ connected: 'fitbit' })).toEqual({
    device: 'fitbit',
    outcome: { is: 'connected', provider: 'fitbit' },
  });
  expect(arrivalOf({ failed: 'strava', why: 'scope' })).toEqual({
    device: 'strava',
    outcome: { is: 'failed', provider: 'strava', why: 'scope' },
  });
  expect(arrivalOf({ failed: 'strava', why: '<b>' }).outcome).toEqual({ is: 'failed', provider: 'strava' });
  expect(arrivalOf({ connected: 'google-fit', failed: 'apple-watch' })).toEqual({});
  expect(searchOf({ connect: 'strava', other: 'x' } as object)).toEqual({ connect: 'strava' });
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15', 5, true],
  ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, false],
  ['Mozilla/5.0 (Linux; Android 15)', 5, false],
])('[2.81] %s with %d points of touch is iOS: %s', (userAgent, points, is) => {
  expect(isIos(userAgent, points)).toBe(is);
});
