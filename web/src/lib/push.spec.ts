import { expect, test, vi } from 'vitest';
import { pathsOf, serveApi, signedInAs } from '../testing/app.tsx';
import { turnPushOn } from './push.ts';

test('[S11] pushes can be turned on again on the same page, whose policy allows the name of its worker once', async () => {
  signedInAs();
  const names: string[] = [];
  vi.stubGlobal('trustedTypes', {
    createPolicy: (name: string, { createScriptURL }: { createScriptURL: () => string }) => {
      if (names.includes(name)) throw new TypeError(`Policy with name "${name}" already exists.`);
      names.push(name);
      return { createScriptURL };
    },
  });
  const registered: unknown[] = [];
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example', keys: { p256dh: 'a', auth: 'b' } }) };
  const registration = { pushManager: { subscribe: () => Promise.resolve(subscription) } };
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: () => Promise.resolve('granted') });
  vi.stubGlobal('PushManager', Object);
  vi.stubGlobal('navigator', {
    serviceWorker: {
      register: (url: unknown) => Promise.resolve(registered.push(url)),
      ready: Promise.resolve(registration),
    },
  });
  const calls = serveApi({
    'GET /api/push/key': { body: { key: 'key' } },
    'POST /api/push/subscriptions': { body: { subscribed: true } },
  });
  expect([await turnPushOn(), await turnPushOn()]).toEqual(['on', 'on']);
  expect(registered).toEqual(['/push-worker.js', '/push-worker.js']);
  expect(pathsOf(calls).filter((call) => call.startsWith('POST'))).toHaveLength(2);
});
