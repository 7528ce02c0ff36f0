import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { answerConsent } from './consent.ts';
import { startGoogleHealth } from './google-health/google-health.ts';
import type { Platform } from './platform.ts';
import { startStrava } from './strava/strava.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});
const during = <Running extends { close(): unknown }>(running: Running): Running => {
  ending.push(() => running.close());
  return running;
};

const redirectUri = 'http://127.0.0.1:8080/api/fitness/strava/callback';
const authorizeUrl = (platform: Platform, more: Record<string, string> = {}) => {
  const isStrava = platform.name === 'strava';
  const scope = isStrava
    ? 'read,activity:read'
    : 'https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly';
  const asked = {
    client_id: platform.app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: '"<s>',
  };
  return `${platform.url}${isStrava ? '/oauth/authorize' : '/o/oauth2/v2/auth'}?${new URLSearchParams({ ...asked, ...more })}`;
};
const post = async (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
/** Somebody's tokens at Strava. */
async function allow(strava: Awaited<ReturnType<typeof startStrava>>, person: string) {
  const back = await answerConsent(authorizeUrl(strava), { person });
  const { clientId: client_id, clientSecret: client_secret } = strava.app;
  const asked = {
    client_id,
    client_secret,
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
  };
  return (await post(`${strava.url}/oauth/token`, asked)).body as { access_token: string; refresh_token: string };
}

/** A place that deliveries go to; answers by its rule. */
async function receiver(answerTo: (nth: number) => { status: number; afterMilliseconds?: number }) {
  const received: { body: string; headers: Record<string, unknown> }[] = [];
  const server = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      received.push({ body, headers: asked.headers });
      const { status, afterMilliseconds = 0 } = answerTo(received.length);
      setTimeout(() => answer.writeHead(status).end(), afterMilliseconds);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  during({ close: () => (server.closeAllConnections(), server.close()) });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}
const run = (person: string, startedAt = '2026-10-05T10:00:00Z') => ({
  person,
  type: 'Run',
  startedAt,
  movingSeconds: 600,
});

test.each([
  ['Strava', startStrava],
  ['Google Health', startGoogleHealth],
] as const)('every page of the simulated %s says that it simulates, and brings nothing along', async (name, start) => {
  const platform = during(await start());
  for (const url of [`${platform.url}/`, authorizeUrl(platform)]) {
    const answer = await fetch(url);
    const text = await answer.text();
    expect(text).toContain(`This page simulates ${name}.`);
    expect(text).toMatch(/<html lang="en">.*<title>[^<]+simulated/s);
    expect(text).not.toMatch(/<script|src=|"<s>/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  const consent = await (await fetch(authorizeUrl(platform))).text();
  // Whatever is asked for has its label, and its box can be unticked.
  const [fields, labels] = [/<input type="(?!hidden)/g, /<label/g].map((tag) => [...consent.matchAll(tag)].length);
  expect(fields).toBe(labels);
  expect(consent).toMatch(/<input type="checkbox" name="scope"[^>]* checked>/);
});

test('[S31] nobody is sent to another address than the app’s', async () => {
  const strava = during(await startStrava({ callbackOrigin: 'http://127.0.0.1:8080' }));
  const status = async (more: Record<string, string>) => (await fetch(authorizeUrl(strava, more))).status;
  expect(await status({})).toBe(200);
  expect(await status({ redirect_uri: 'https://evil.example/callback' })).toBe(400);
  expect(await status({ client_id: '1' })).toBe(400);
});

test('somebody new may begin with workouts of the last days', async () => {
  const strava = during(await startStrava());
  await answerConsent(authorizeUrl(strava), { person: '12', isNew: true });
  await answerConsent(authorizeUrl(strava), { person: '12', isNew: true });
  await answerConsent(authorizeUrl(strava), { person: '13' });
  expect(strava.listWorkouts().map(({ person }) => person)).toEqual(['12', '12', '12', '12']);
});

test('Strava tells of a change three times at most, to whoever does not answer 200 in two seconds', async () => {
  const place = await receiver((nth) => ({ status: nth === 1 ? 500 : 200, afterMilliseconds: nth === 2 ? 2_500 : 0 }));
  const strava = during(await startStrava({ pauseMilliseconds: 1, subscription: { url: place.url, id: 9 } }));
  await allow(strava, '12');
  strava.addWorkout(run('12'));
  const [taken] = await strava.deliver();
  expect(taken?.attempts.map(({ status }) => status)).toEqual([500, 0, 200]);
  const event = { object_type: 'activity', aspect_type: 'create', owner_id: 12, subscription_id: 9 };
  expect(JSON.parse(place.received[0]?.body ?? '')).toMatchObject(event);
  const deaf = await receiver(() => ({ status: 503 }));
  strava.subscription = { url: deaf.url, id: 9 };
  strava.addWorkout(run('12'));
  expect((await strava.deliver())[0]?.attempts).toHaveLength(3);
});

test('changes are told doubled and in another order when a test wants it, and of nobody who has allowed nothing', async () => {
  const place = await receiver(() => ({ status: 200 }));
  const strava = during(await startStrava({ subscription: { url: place.url, id: 9 } }));
  await allow(strava, '12');
  strava.addWorkout(run('99'));
  const { id } = strava.addWorkout(run('12'));
  strava.changeWorkout(id, { movingSeconds: 900 });
  strava.deleteWorkout(id);
  const aspects = (await strava.deliver({ copies: 2, order: 'reversed' })).map(
    ({ body }) => (JSON.parse(body) as { aspect_type: string }).aspect_type,
  );
  expect(aspects).toEqual(['delete', 'delete', 'update', 'update', 'create', 'create']);
});

test('a renewal ends the refresh token before it, and a platform keeps what it knows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platforms-'));
  ending.push(() => rmSync(folder, { recursive: true }));
  const first = await startStrava({ folder });
  const { refresh_token } = await allow(first, '12');
  first.addWorkout(run('12'));
  first.expireTokens('12');
  await first.close();
  const again = during(await startStrava({ folder }));
  const { clientId: client_id, clientSecret: client_secret } = again.app;
  const renew = (token: string) =>
    post(`${again.url}/oauth/token`, { client_id, client_secret, grant_type: 'refresh_token', refresh_token: token });
  const renewed = await renew(refresh_token);
  expect(renewed.status).toBe(200);
  expect((await renew(refresh_token)).status).toBe(400);
  const headers = { authorization: `Bearer ${String(renewed.body['access_token'])}` };
  const listed = await fetch(`${again.url}/api/v3/athlete/activities`, { headers });
  expect(await listed.json()).toHaveLength(1);
  expect(listed.headers.get('x-readratelimit-usage')).toBe('1,1');
});

test('the day’s and the quarter’s limits of Strava end in 429, which count as well', async () => {
  const strava = during(await startStrava());
  strava.usage.limits = { overall: [9, 9], read: [2, 9] };
  const statuses: number[] = [];
  for (let nth = 0; nth < 4; nth += 1) statuses.push((await fetch(`${strava.url}/api/v3/athlete/activities`)).status);
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect([strava.usage.refused, strava.usage.usage()[0]]).toEqual([2, 4]);
});

test('Google looks before it delivers whether it is let in with the secret, and only then', async () => {
  const place = await receiver((nth) => ({ status: nth === 2 ? 401 : 201 }));
  const google = during(await startGoogleHealth());
  const subscribe = async (url: string) =>
    (
      await fetch(`${google.url}/v4/projects/caravan/subscribers`, {
        method: 'POST',
        body: JSON.stringify({ endpointUri: url, endpointAuthorization: { secret: 's' } }),
      })
    ).status;
  expect(await subscribe(place.url)).toBe(200);
  const open = await receiver(() => ({ status: 201 }));
  expect(await subscribe(open.url)).toBe(400);
});

test('[S39] what tests control is open to JSON on this machine alone', async () => {
  const strava = during(await startStrava());
  const at = `${strava.url}/simulator/workouts`;
  const json = { 'content-type': 'application/json' };
  const added = await fetch(at, { method: 'POST', headers: json, body: JSON.stringify(run('12')) });
  expect(added.status).toBe(201);
  expect((await fetch(at, { method: 'POST', body: new URLSearchParams({ person: '12' }) })).status).toBe(415);
  expect((await fetch(at, { method: 'POST', headers: json, body: '{"person":1}' })).status).toBe(422);
  expect((await fetch(`${at}/1`, { method: 'DELETE', headers: json })).status).toBe(404);
  const { port } = new URL(strava.url);
  const foreign = new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path: '/simulator/workouts', headers: { host: 'evil.example' } }, (answer) =>
      resolve(answer.resume().statusCode),
    ).end();
  });
  expect(await foreign).toBe(421);
});
