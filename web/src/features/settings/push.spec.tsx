import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { endSession } from '../../lib/session-state.ts';
import { logOut } from '../../lib/session.ts';
import { noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';

const device = { connected: false, lastSync: null };
const settings = {
  profile: { name: 'Maya Okafor', email: 'maya@example.org', phone: '', bio: '' },
  notifications: { email: true, push: true, teamUpdates: true, weeklyReports: true },
  privacy: {
    profileVisible: true,
    activityVisible: true,
    statsVisible: true,
    shareHeartRate: false,
    shareCalories: false,
    featuredInRecaps: false,
  },
  preferences: { darkMode: false, theme: 'system', units: 'imperial' },
  fitnessDevices: { appleWatch: device, googleFit: device, strava: device },
};
const subscribing = 'POST /api/push/subscriptions';

/** A browser with a push service, and what its owner says when asked. */
function browser(permission: NotificationPermission, hasService = true) {
  let subscription: object | null = null;
  const keys = { p256dh: 'A'.repeat(87), auth: 'B'.repeat(22) };
  const made = {
    toJSON: () => ({ endpoint: 'https://push.example.org/x', keys }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      if (!hasService) throw new DOMException('Registration failed', 'AbortError');
      subscription = made;
      return made;
    },
  };
  const registration = { pushManager };
  let registered: object | undefined;
  const serviceWorker = {
    ready: Promise.resolve(registration),
    getRegistration: async () => registered,
    register: async () => (registered = registration),
  };
  vi.stubGlobal('PushManager', () => undefined);
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: async () => permission });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  return { isSubscribed: () => subscription !== null };
}

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'standalone');
  endSession();
});

function open() {
  signedInAs();
  const calls = serveApi({
    'GET /api/me/settings': { body: settings },
    'GET /api/me/sessions': { body: [] },
    'GET /api/fitness/status': { status: 404 },
    'GET /api/push/key': { body: { key: 'BKey' } },
    'POST /api/logout': { body: { loggedOut: true } },
    [subscribing]: { body: { isSubscribed: true } },
    'DELETE /api/push/subscriptions': { body: { isSubscribed: false } },
  });
  openApp('/settings');
  return calls;
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('[D34 3.46] a device is asked for permission by a press, subscribed, and stopped by another', async () => {
  const here = browser('granted');
  const calls = open();
  await press('Allow on this device');
  await screen.findByText('This device shows them.');
  expect(await sentTo(calls, subscribing)).toEqual({
    endpoint: 'https://push.example.org/x',
    keys: { p256dh: 'A'.repeat(87), auth: 'B'.repeat(22) },
  });
  await press('Stop on this device');
  await screen.findByText('This device shows none yet.');
  expect([here.isSubscribed(), pathsOf(calls).includes('DELETE /api/push/subscriptions')]).toEqual([false, true]);
});

test('[D34] a browser that refuses, or knows no pushes, says so and what helps', async () => {
  browser('denied');
  const calls = open();
  await press('Allow on this device');
  await screen.findByText(/^This browser blocks notifications\./);
  expect(pathsOf(calls)).not.toContain(subscribing);
});

test('[D34] a browser without pushes says so', async () => {
  open();
  await screen.findByText('This browser cannot show notifications of the app.');
});

test('[D34] a push service that is away is told, and the press can be repeated', async () => {
  browser('granted', false);
  const calls = open();
  await press('Allow on this device');
  expect(await noticeOf('Error')).toContain('push service could not be reached');
  expect(pathsOf(calls)).not.toContain(subscribing);
  expect(screen.getByRole('button', { name: 'Allow on this device' })).toBeDefined();
});

test('[D34] what the switch turns off for all devices asks nothing of this one', async () => {
  browser('granted');
  open();
  await screen.findByRole('button', { name: 'Allow on this device' });
  await userEvent.click(screen.getByRole('switch', { name: 'Push notifications' }));
  expect(screen.queryByRole('button', { name: 'Allow on this device' })).toBeNull();
});

test('[D34] signing out unsubscribes the browser', async () => {
  const here = browser('granted');
  open();
  await press('Allow on this device');
  await screen.findByText('This device shows them.');
  await logOut();
  await waitFor(() => expect(here.isSubscribed()).toBe(false));
});

test('[D34] an iPhone is told to add the app to its Home Screen first', async () => {
  Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
  open();
  expect(
    await screen.findByText(/Press Share, then “Add to Home Screen”, and open Caravan from there\./),
  ).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Allow on this device' })).toBeNull();
});
