import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pathsOf, serveApi, signedInAs } from '../testing/app.tsx';
import { login, logMovement, readDashboardStats } from './api/generated/sdk.gen.ts';
import { HttpError } from './http-error.ts';

beforeEach(() => {
  history.replaceState(null, '', '/dashboard');
  signedInAs();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

const refusal = (code: string, seconds?: number) => ({
  status: 429,
  body: { status: 429, code, message: 'Please wait' },
  ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
});
const tooMuch = refusal('request/too-many', 30);
/** Refuses so many times before it answers. */
const after = (refusals: number, answer: object) => {
  let left = refusals;
  return () => (left-- > 0 ? tooMuch : { body: answer });
};

test('[S25] a call that the gateway refuses for a while is made again when it says so, and no sooner', async () => {
  const calls = serveApi({ 'GET /api/dashboard/stats': after(2, { userRank: 1 }) });
  const answer = readDashboardStats();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(31_000);
  await expect(answer).resolves.toEqual({ userRank: 1 });
});

test('[S25] a write waits too, and is sent whole', async () => {
  const calls = serveApi({ 'POST /api/log': after(1, { id: 'l1' }) });
  const body = { activityType: 'Walking', durationMinutes: 30 } as const;
  const answer = logMovement({ body, headers: { 'Idempotency-Key': 'k1' } });
  await vi.advanceTimersByTimeAsync(31_000);
  await expect(answer).resolves.toEqual({ id: 'l1' });
  expect(await Promise.all(calls.map((call) => call.json()))).toEqual([body, body]);
});

test('[S25] what is still refused after three waits is said', async () => {
  const calls = serveApi({ 'GET /api/dashboard/stats': tooMuch });
  const answer = readDashboardStats().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(3 * 31_000);
  expect(await answer).toBeInstanceOf(HttpError);
  expect(pathsOf(calls)).toHaveLength(4);
});

test.each([
  ['a person who guesses', refusal('auth/too-many-attempts', 30)],
  ['a wait that nobody sits out', refusal('request/too-many', 3_600)],
  ['no word of how long', refusal('request/too-many')],
])('[S15 D44] %s is told at once', async (_, answer) => {
  const calls = serveApi({ 'POST /api/login': answer });
  await expect(login({ body: { email: 'm@example.org', password: 'x' } })).rejects.toHaveProperty('status', 429);
  expect(calls).toHaveLength(1);
});

test('[S25] a page that is left waits for nothing', async () => {
  const calls = serveApi({ 'GET /api/dashboard/stats': tooMuch });
  const leaving = new AbortController();
  const answer = readDashboardStats({ signal: leaving.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  leaving.abort();
  await expect(answer).resolves.toHaveProperty('name', 'AbortError');
  expect(calls).toHaveLength(1);
});
