import { createHmac } from 'node:crypto';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { answerConsent } from '@caravan/simulators/consent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPerson, providersOf, redirectUri, startPlatforms, webhookSettings } from '../testing/platforms.ts';
import { ProviderFigures } from './figures.ts';
import { GoogleSignatures } from './google-signatures.client.ts';
import { Outbound, usualResilience } from './outbound.client.ts';
import type { Provider } from './provider.ts';

let platforms: Awaited<ReturnType<typeof startPlatforms>>;
let asked: Awaited<ReturnType<typeof providersOf>>;
let fitbit: Provider;
beforeAll(async () => {
  platforms = await startPlatforms();
  asked = await providersOf(platforms.env);
  fitbit = asked.providers.of('fitbit');
});
afterAll(async () => {
  await asked.close();
  await platforms.close();
});

let people = 50_000_000;
const wearer = async () => {
  const person = String((people += 1));
  return { person, ...(await connectPerson(fitbit, person)) };
};
const walk = (person: string, startedAt: string, more = {}) =>
  platforms.google.addWorkout({ person, type: 'WALKING', startedAt, movingSeconds: 1_830, ...more });
const october = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') };

test('[D22] who allows Google what is asked is known by the id at Google Health', async () => {
  const { person, providerUserId, tokens } = await wearer();
  expect(providerUserId).toBe(person);
  expect(fitbit).toMatchObject({ name: 'fitbit', isSetUp: true, audience: 'organisation' });
  expect(tokens.scopes).toEqual(['https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly']);
});

test('[S31] a code is worth nothing without the proof of the one who asked for it, nor at another address', async () => {
  const asking = { state: 's', challenge: 'A'.repeat(43), redirectUri };
  for (const wrong of [{ verifier: 'guessed' }, { redirectUri: 'https://evil.example/' }]) {
    const back = await answerConsent(fitbit.authorizeUrl(asking));
    const code = back.searchParams.get('code') ?? '';
    const exchanged = fitbit.exchange({ code, verifier: 'guessed', redirectUri, ...wrong });
    await expect(exchanged).rejects.toMatchObject({ why: 'reconnect' });
  }
});

test('[D22] activities unticked connect nothing, and what was given is given back', async () => {
  const before = platforms.google.grants.all.length;
  const scope = 'https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly';
  const verifier = 'x'.repeat(43);
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url');
  const url = fitbit.authorizeUrl({ state: 's', challenge, redirectUri });
  const back = await answerConsent(url, { untick: [scope] });
  const exchanged = fitbit.exchange({ code: back.searchParams.get('code') ?? '', verifier, redirectUri });
  await expect(exchanged).rejects.toMatchObject({ why: 'scope' });
  expect(platforms.google.grants.all).toHaveLength(before);
});

test('[3.10] workouts between two moments are listed, page by page, as what they are here', async () => {
  const { person, tokens } = await wearer();
  const details = { meters: 2_650.4, heartRate: 111, calories: 160.4 };
  walk(person, '2026-09-30T23:59:59.000Z');
  for (let nth = 0; nth < 26; nth += 1) walk(person, new Date(Date.UTC(2026, 9, 1, nth)).toISOString(), details);
  walk(person, '2026-11-01T00:00:00.000Z');
  const first = await fitbit.list(tokens.accessToken, october);
  const second = await fitbit.list(tokens.accessToken, { ...october, cursor: first.next ?? '' });
  const all = [...first.workouts, ...second.workouts];
  expect(all).toHaveLength(26);
  expect(second.next).toBeUndefined();
  expect(all.at(-1)).toMatchObject({
    activityType: 'Walking',
    startedAt: new Date('2026-10-01T00:00:00Z'),
    durationMinutes: 30,
    meters: 2650,
    heartRate: 111,
    calories: 160,
    changedAt: expect.any(Date),
  });
  expect(JSON.stringify(all)).not.toContain('Lena');
});

test('[S34] one workout is read by its id, and what is gone or of somebody else is not there', async () => {
  const { person, tokens } = await wearer();
  const { id } = walk(person, '2026-10-05T10:00:00.000Z');
  expect(await fitbit.read(tokens.accessToken, id)).toMatchObject({ externalId: id, meters: null });
  const others = walk('59999999', '2026-10-05T10:00:00.000Z');
  for (const missing of [others.id, '1', '../identity']) {
    expect(await fitbit.read(tokens.accessToken, missing)).toBeUndefined();
  }
});

test('[D22] tokens are renewed by a refresh token that stays, until it is revoked at Google', async () => {
  const { person, tokens } = await wearer();
  platforms.google.expireTokens(person);
  await expect(fitbit.list(tokens.accessToken, october)).rejects.toMatchObject({ why: 'reconnect' });
  const renewed = await fitbit.refresh(tokens.refreshToken);
  expect(renewed.refreshToken).toBe(tokens.refreshToken);
  await expect(fitbit.list(renewed.accessToken, october)).resolves.toBeDefined();
  platforms.google.revoke(person);
  await expect(fitbit.refresh(tokens.refreshToken)).rejects.toMatchObject({ why: 'reconnect' });
  await fitbit.revoke(renewed);
});

test('[S34] a wrong secret of the app disconnects nobody', async () => {
  const { tokens } = await wearer();
  const wrong = await providersOf({ ...platforms.env, GOOGLE_HEALTH_CLIENT_SECRET: 'another' });
  await expect(wrong.providers.of('fitbit').refresh(tokens.refreshToken)).rejects.toMatchObject({ why: 'refused' });
  await wrong.close();
});

const authorization = webhookSettings.GOOGLE_HEALTH_WEBHOOK_SECRET;
const keysAsked = () => platforms.google.server.calls.filter(({ path }) => path.endsWith('keyset.json')).length;

test('[S33] a delivery counts that shows our secret and is signed by Google, byte for byte', async () => {
  const { person } = await wearer();
  walk(person, '2026-10-06T10:00:00.000Z');
  platforms.google.subscriber = { url: 'http://127.0.0.1:9/', secret: authorization };
  const body = Buffer.from((await platforms.google.deliver({})).at(-1)?.body ?? '');
  const signature = platforms.google.keys.signatureOf(body);
  for (const header of ['x-healthapi-signature', 'google-health-api-signature'])
    expect(await fitbit.verify({ headers: { authorization, [header]: signature }, body })).toBe(true);
  const refused = [
    { authorization },
    { 'x-healthapi-signature': signature },
    { authorization: `${authorization}x`, 'x-healthapi-signature': signature },
    { authorization, 'x-healthapi-signature': platforms.google.keys.signatureOf(`${body.toString()} `) },
    { authorization, 'x-healthapi-signature': `AQ${signature.slice(2, -8)}AAAAAAA=` },
    { authorization, 'x-healthapi-signature': '' },
  ];
  for (const headers of refused) expect(await fitbit.verify({ headers, body })).toBe(false);
  expect(fitbit.notices(body)).toMatchObject([
    { kind: 'changed', providerUserId: person, externalId: null, from: new Date('2026-10-06T10:00:00Z') },
  ]);
});

test('[S33] a new key of Google is fetched when it first signs, and forged ones do not have it fetched all the time', async () => {
  const now = { is: 0 };
  const metrics = new Metrics('keys', { hasProcessMetrics: false });
  const parts = { dependencies: new Dependencies(metrics), figures: new ProviderFigures(metrics) };
  const outbound = new Outbound('keys', { ...usualResilience, budgetMilliseconds: 5_000 }, parts);
  const url = platforms.env['GOOGLE_HEALTH_KEYS_URL'] ?? '';
  const signatures = new GoogleSignatures(url, outbound, () => now.is);
  const body = Buffer.from('[]');
  const { keys } = platforms.google;
  const before = keysAsked();
  const old = keys.signatureOf(body);
  await Promise.all([1, 2, 3].map(async () => expect(await signatures.isSigned(body, old)).toBe(true)));
  expect(keysAsked() - before).toBe(1);
  keys.rotate();
  // Not yet: the last fetch was a moment ago.
  expect(await signatures.isSigned(body, keys.signatureOf(body))).toBe(false);
  now.is += 60_000;
  expect(await signatures.isSigned(body, keys.signatureOf(body))).toBe(true);
  expect(await signatures.isSigned(body, old)).toBe(true);
  for (let forged = 0; forged < 50; forged += 1) {
    const unknown = Buffer.concat([Buffer.from([1, 0, 0, 0, forged]), Buffer.alloc(70)]).toString('base64');
    expect(await signatures.isSigned(body, unknown)).toBe(false);
  }
  expect(keysAsked() - before).toBe(2);
});

test('[D22] whoever connected to Fitbit itself must connect anew', async () => {
  const { legacyFitbit } = asked.providers;
  const span = { from: new Date(0), to: new Date() };
  for (const call of [
    () => legacyFitbit.list('old', span),
    () => legacyFitbit.read('old', '1'),
    () => legacyFitbit.refresh('old'),
  ])
    await expect(call()).rejects.toMatchObject({ why: 'reconnect' });
  expect(legacyFitbit.isSetUp).toBe(false);
  await legacyFitbit.revoke({ accessToken: 'old', refreshToken: 'old' });
});

test('[S33] a delivery of Fitbit itself counts that is signed by the secret of the app there', async () => {
  const { legacyFitbit } = asked.providers;
  const body = Buffer.from('[{"collectionType":"activities","date":"2026-10-05","ownerId":"4J2","ownerType":"user"}]');
  const signatureOf = (key: string) => createHmac('sha1', key).update(body).digest('base64');
  const verify = (signature: string) => legacyFitbit.verify({ headers: { 'x-fitbit-signature': signature }, body });
  expect(await verify(signatureOf(`${webhookSettings.FITBIT_CLIENT_SECRET}&`))).toBe(true);
  expect(await verify(signatureOf(webhookSettings.FITBIT_CLIENT_SECRET))).toBe(false);
  expect(await legacyFitbit.verify({ headers: {}, body })).toBe(false);
  const notice = { kind: 'changed', providerUserId: '4J2', externalId: null, from: new Date('2026-10-04T00:00:00Z') };
  expect(legacyFitbit.notices(body)).toMatchObject([notice]);
});
