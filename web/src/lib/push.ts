import { readPushKey, subscribeToPushes, unsubscribeFromPushes } from './api/generated/sdk.gen.ts';

/**
 * Of this browser. `refused`: its owner has blocked notifications; only its own settings can change that. `uninstalled`:
 * an iPhone or iPad, which takes pushes only for apps on its Home Screen.
 */
export type PushHere = 'unsupported' | 'uninstalled' | 'refused' | 'off' | 'on';

const workerPath = '/push-worker.js';

export const isPushSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Only Safari on these devices knows whether a page was opened from the Home Screen. */
const missing = (): PushHere =>
  'standalone' in navigator && navigator.standalone === false ? 'uninstalled' : 'unsupported';

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** What is on here is told to the server once more: the session may be a new one. */
export async function pushHere(): Promise<PushHere> {
  if (!isPushSupported()) return missing();
  if (Notification.permission === 'denied') return 'refused';
  const subscription = await subscriptionHere();
  if (!subscription) return 'off';
  await tell(subscription);
  return 'on';
}

/** Asks for permission first, so call it when somebody has pressed something. Throws when the push service is away. */
export async function turnPushOn(): Promise<PushHere> {
  if (!isPushSupported()) return missing();
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'refused' : 'off';
  const { key } = await readPushKey();
  await navigator.serviceWorker.register(workerUrl() as string);
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  await tell(await registration.pushManager.subscribe(options));
  return 'on';
}

export async function turnPushOff(): Promise<PushHere> {
  await unsubscribeFromPushes();
  await forgetPush();
  return 'off';
}

/** At the browser; the server forgets it with the session. Never throws. */
export async function forgetPush(): Promise<void> {
  if (!isPushSupported()) return;
  const subscription = await subscriptionHere().catch(() => null);
  await subscription?.unsubscribe().catch(() => false);
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await subscribeToPushes({ body: { endpoint, keys: { p256dh, auth } } });
}

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): unknown };
};

let vouchedUrl: unknown;

/**
 * Where the page takes scripts only from somebody who vouches for them (S11): for one of our own, always the same. The
 * page's policy allows each name once, so what it vouched for is remembered.
 */
function workerUrl(): unknown {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return workerPath;
  vouchedUrl ??= trustedTypes.createPolicy('push-worker', { createScriptURL: () => workerPath }).createScriptURL('');
  return vouchedUrl;
}
