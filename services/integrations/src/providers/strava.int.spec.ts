import { answerConsent } from '@caravan/simulators/consent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPerson, providersOf, redirectUri, startPlatforms, webhookSettings } from '../testing/platforms.ts';
import type { Provider } from './provider.ts';

let platforms: Awaited<ReturnType<typeof startPlatforms>>;
let asked: Awaited<ReturnType<typeof providersOf>>;
let strava: Provider;
beforeAll(async () => {
  platforms = await startPlatforms();
  asked = await providersOf(platforms.env);
  strava = asked.providers.of('strava');
});
afterAll(async () => {
  await asked.close();
  await platforms.close();
});

let athletes = 30_000_000;
const athlete = async () => {
  const person = String((athletes += 1));
  return { person, ...(await connectPerson(strava, person)) };
};
const run = (person: string, startedAt: string, more = {}) =>
  platforms.strava.addWorkout({ person, type: 'TrailRun', startedAt, movingSeconds: 1_799, meters: 5_012.4, ...more });
const october = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') };

test('[D21] who allows Strava what is asked is known by the id of the athlete', async () => {
  const { person, tokens, providerUserId } = await athlete();
  expect(providerUserId).toBe(person);
  expect(tokens.scopes).toContain('activity:read');
  expect(tokens.expiresAt.getTime()).toBeGreaterThan(Date.now() + 5 * 3_600_000);
  expect(strava).toMatchObject({ isSetUp: true, audience: 'owner' });
});

test('[D21 S31] no connection comes of a refusal, of activities unticked, or of a code used twice', async () => {
  const url = strava.authorizeUrl({ state: 'mine', challenge: 'unused', redirectUri });
  const refused = await answerConsent(url, { isRefused: true });
  expect(Object.fromEntries(refused.searchParams)).toEqual({ state: 'mine', error: 'access_denied' });
  const unticked = await answerConsent(url, { untick: ['activity:read'] });
  const exchange = (back: URL) => {
    const [code = '', scope = ''] = ['code', 'scope'].map((name) => back.searchParams.get(name) ?? '');
    return strava.exchange({ code, scope, verifier: '', redirectUri });
  };
  await expect(exchange(unticked)).rejects.toMatchObject({ why: 'scope' });
  const back = await answerConsent(url);
  const { tokens } = await exchange(back);
  await expect(exchange(back)).rejects.toMatchObject({ why: 'reconnect' });
  // A code that somebody plays back ends what it was for.
  await expect(strava.list(tokens.accessToken, october)).rejects.toMatchObject({ why: 'reconnect' });
});

test('[3.10] workouts between two moments are listed, page by page, as what they are here', async () => {
  const { person, tokens } = await athlete();
  run(person, '2026-09-30T23:59:59Z');
  for (let nth = 0; nth < 101; nth += 1) run(person, new Date(Date.UTC(2026, 9, 1, nth)).toISOString());
  run(person, '2026-11-01T00:00:00Z');
  run(person, '2026-10-05T10:00:00Z', { isPrivate: true });
  const first = await strava.list(tokens.accessToken, october);
  expect(first).toMatchObject({ unreadable: 0, next: '2' });
  expect(first.workouts).toHaveLength(100);
  expect(first.workouts[0]).toMatchObject({
    activityType: 'Running',
    startedAt: new Date('2026-10-01T00:00:00Z'),
    durationMinutes: 29,
    meters: 5012,
    heartRate: null,
    calories: null,
    changedAt: null,
  });
  const second = await strava.list(tokens.accessToken, { ...october, cursor: '2' });
  expect([second.workouts.length, second.next]).toEqual([1, '3']);
  expect(await strava.list(tokens.accessToken, { ...october, cursor: '3' })).toEqual({ workouts: [], unreadable: 0 });
});

test('[D21] neither title nor place nor route of an activity is taken along', async () => {
  const { person, tokens } = await athlete();
  const { id } = run(person, '2026-10-05T10:00:00Z', { heartRate: 150.6, calories: 310 });
  const read = await strava.read(tokens.accessToken, id);
  expect(read).toMatchObject({ externalId: id, heartRate: 151, calories: 310 });
  expect(JSON.stringify(read)).not.toMatch(/secret river|latlng|polyline|51\.45/);
});

test('[S34] what is gone, private or of somebody else is not there, and an id is digits', async () => {
  const { person, tokens } = await athlete();
  const hidden = run(person, '2026-10-05T10:00:00Z', { isPrivate: true });
  const others = run('39999999', '2026-10-05T10:00:00Z');
  for (const id of [hidden.id, others.id, '1', '../athlete', ''])
    expect(await strava.read(tokens.accessToken, id)).toBeUndefined();
});

test('[D22] tokens are renewed: the same for as long as they are good, then others, and the old ones are worth nothing', async () => {
  const { person, tokens } = await athlete();
  expect(await strava.refresh(tokens.refreshToken)).toMatchObject({ accessToken: tokens.accessToken });
  platforms.strava.expireTokens(person);
  await expect(strava.list(tokens.accessToken, october)).rejects.toMatchObject({ why: 'reconnect' });
  const renewed = await strava.refresh(tokens.refreshToken);
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  await expect(strava.list(renewed.accessToken, october)).resolves.toBeDefined();
  await expect(strava.refresh(tokens.refreshToken)).rejects.toMatchObject({ why: 'reconnect' });
});

test('[D24] revoked tokens are worth nothing, and revoking them again is no failure', async () => {
  const { tokens } = await athlete();
  await strava.revoke(tokens);
  await strava.revoke(tokens);
  await expect(strava.list(tokens.accessToken, october)).rejects.toMatchObject({ why: 'reconnect' });
});

test('[S34] a wrong secret of the app disconnects nobody', async () => {
  const { tokens } = await athlete();
  const wrong = await providersOf({ ...platforms.env, STRAVA_CLIENT_SECRET: 'another' });
  await expect(wrong.providers.of('strava').refresh(tokens.refreshToken)).rejects.toMatchObject({ why: 'refused' });
  await expect(wrong.providers.of('strava').revoke(tokens)).rejects.toMatchObject({ why: 'refused' });
  expect(await wrong.metrics.registry.metrics()).toMatch(
    /caravan_provider_refresh_failures_total\{provider="strava",why="refused",service="integrations"\} 1/,
  );
  await wrong.close();
});

test('[D22] a platform without an app is not set up', async () => {
  const none = await providersOf({});
  expect([none.providers.of('strava').isSetUp, none.providers.of('fitbit').isSetUp]).toEqual([false, false]);
  await none.close();
});

test('[S33] a delivery counts that came by the secret path for our subscription', async () => {
  const { person } = await athlete();
  run(person, '2026-10-06T10:00:00Z');
  const deliveries = await platforms.strava.deliver();
  const body = Buffer.from(deliveries.at(-1)?.body ?? '');
  const secret = webhookSettings.STRAVA_WEBHOOK_SECRET;
  const other = Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), subscription_id: 7 }));
  expect(await strava.verify({ headers: {}, body, secret })).toBe(true);
  expect(await strava.verify({ headers: {}, body, secret: `${secret}x` })).toBe(false);
  expect(await strava.verify({ headers: {}, body })).toBe(false);
  expect(await strava.verify({ headers: {}, body: other, secret })).toBe(false);
  expect(await strava.verify({ headers: {}, body: Buffer.from('{'), secret })).toBe(false);
  expect(strava.notices(body)).toMatchObject([{ kind: 'changed', providerUserId: person }]);
  const unset = await providersOf({ ...platforms.env, STRAVA_SUBSCRIPTION_ID: '' });
  expect(await unset.providers.of('strava').verify({ headers: {}, body, secret })).toBe(false);
  await unset.close();
});

test('[D21] who withdraws at Strava what they allowed is told of', async () => {
  const { person, tokens } = await athlete();
  expect(platforms.strava.revoke(person)).toBe(true);
  const deliveries = await platforms.strava.deliver();
  const notices = strava.notices(Buffer.from(deliveries.at(-1)?.body ?? ''));
  expect(notices).toMatchObject([{ kind: 'revoked', providerUserId: person }]);
  await expect(strava.refresh(tokens.refreshToken)).rejects.toMatchObject({ why: 'reconnect' });
});
