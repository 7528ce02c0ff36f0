import { randomUUID } from '@caravan/contracts/testing/seeded';
import { serviceNames } from '@caravan/contracts/events/topics';
import { eventually } from '@caravan/event-store/testing/eventually';
import { answerConsent } from '@caravan/simulators/consent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ComposedProduct } from './composed-product.ts';
import { podman } from './engine.ts';
import { images } from './images.ts';
import { startPrometheus } from './own-prometheus.ts';
import { queries } from './queries.ts';

const processes = ['gateway', ...serviceNames] as const;
const ours = [...processes, 's3', 'mail'] as const;
let product: ComposedProduct;

beforeAll(async () => {
  product = await ComposedProduct.prepare();
  await product.start();
}, 1_200_000);

afterAll(() => product.drop());

type Answer = { status: number; headers: Headers; body: unknown };

async function ask(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(`${product.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const signUp = (name: string, email: string) =>
  ask('POST', '/api/signup', { body: { name, email, password: 'Walks-every-morning-7' } });

test('every image is labelled, runs as somebody without rights and brings a health check', async () => {
  for (const image of images) {
    const [inspected = {}] = JSON.parse(await podman('inspect', image)) as Record<string, unknown>[];
    expect(inspected['Config'], image).toMatchObject({
      User: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/) as string,
      Labels: { 'org.opencontainers.image.licenses': 'Apache-2.0' },
    });
    const isProcess = processes.some((name) => image.includes(`/${name}:`));
    if (isProcess) expect(inspected, image).toMatchObject({ Healthcheck: { Test: ['CMD', 'node', 'health.mjs'] } });
  }
});

test.each(processes)('%s answers that it is ready', async (name) => {
  await expect(product.inside(name, 'node', 'health.mjs')).resolves.toBe('');
});

test.each(ours)('%s is not root, can write nothing but what it is given, and can get no right', async (name) => {
  expect(await product.inside(name, 'id', '-u')).not.toBe('0');
  await expect(product.inside(name, 'sh', '-c', 'echo x >/etc/x')).rejects.toThrow('Read-only file system');
  await expect(product.inside(name, 'sh', '-c', 'echo x >/tmp/x && rm /tmp/x')).resolves.toBe('');
  const status = await product.inside(name, 'cat', '/proc/self/status');
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
});

test('a service brings no package that its bundle does not load', async () => {
  const packages = async (name: string) => (await product.inside(name, 'ls', 'node_modules')).split('\n');
  expect(await packages('gateway')).toContain('@fastify');
  for (const absent of ['sharp', 'kafkajs', 'nodemailer', 'pg'])
    expect(await packages('gateway')).not.toContain(absent);
  expect(await packages('scoring')).not.toContain('nodemailer');
  for (const name of processes)
    for (const tool of ['vite', 'esbuild', 'typescript']) expect(await packages(name)).not.toContain(tool);
});

test('people get the web app', async () => {
  const page = await fetch(product.url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div id="root"');
});

test('who signs up joins the organisation that was founded, is mailed, and sees a log of theirs on the board', async () => {
  const signedUp = await signUp('Ida Walker', 'ida@example.org');
  expect(signedUp).toMatchObject({ status: 200 });
  const { token, user } = signedUp.body as { token: string; user: { id: string } };
  const branding = await ask('GET', '/api/org/branding', { token });
  expect(JSON.stringify(branding.body)).toContain('Caravan');

  await eventually(async () => {
    const mails = (await (await fetch(`${product.mailUrl}/messages?to=ida@example.org`)).json()) as object[];
    expect(mails.length).toBeGreaterThan(0);
  });

  const logged = await eventually(async () => {
    const answer = await ask('POST', '/api/log', { token, body: { activityType: 'Walking', durationMinutes: 30 } });
    expect(answer.status).toBe(200);
    return answer;
  });
  expect(logged.body).toMatchObject({ milesEarned: 3, totalMiles: 3 });

  await eventually(async () => {
    const { body } = await ask('GET', '/api/leaderboard', { token });
    const { users } = body as { users: { id: string; totalMiles: number }[] };
    expect(users.find(({ id }) => id === user.id)).toMatchObject({ totalMiles: 3 });
  });
  await eventually(async () => {
    const { body } = await ask('GET', '/api/activity-feed/all', { token });
    expect(JSON.stringify(body)).toContain(user.id);
  });
});

test('a workout at either platform comes by itself, by the settings that the documents name', async () => {
  const { body } = await signUp('Stella Climber', 'stella@example.org');
  const { token } = body as { token: string };
  for (const [provider, platform] of [
    ['strava', 'http://127.0.0.1:8082'],
    ['fitbit', 'http://127.0.0.1:8083'],
  ] as const) {
    const { body: offered, headers } = await ask('GET', `/api/fitness/${provider}/auth?scored=true`, { token });
    const { search } = await answerConsent((offered as { authUrl: string }).authUrl, { person: '12' });
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const callback = `${product.url}/api/fitness/${provider}/callback${search}`;
    const back = await fetch(callback, { redirect: 'manual', headers: { cookie } });
    expect(back.headers.get('location')).toContain('connected');
    const startedAt = new Date(Date.now() - 3_600_000).toISOString();
    const workout = { person: '12', type: 'Run', startedAt, movingSeconds: 1_800 };
    const added = await fetch(`${platform}/simulator/workouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(workout),
    });
    expect(added.ok).toBe(true);
    await eventually(async () => {
      const { body: workouts } = await ask('GET', '/api/fitness/workouts', { token });
      expect(workouts).toContainEqual(expect.objectContaining({ provider }));
    });
  }
});

test('an operator appoints an admin, makes read models again and repeats the preparation beside the running product', async () => {
  expect((await signUp('Otto Runner', 'otto@example.org')).status).toBe(200);
  expect(await product.operate('appoint-admin', 'otto@example.org')).toMatchObject({ wrote: '' });
  await eventually(async () => {
    const credentials = { email: 'otto@example.org', password: 'Walks-every-morning-7' };
    const { body } = await ask('POST', '/api/login', { body: credentials });
    expect(body).toMatchObject({ user: { role: 'admin' } });
  });
  expect((await product.operate('rebuild', 'scoring', '--all')).wrote).toContain('Rebuilt miles-ledger');
  expect((await product.operate()).wrote).toContain('The default organisation is there.');
  expect((await product.operate('fly')).complained).toContain('There is no command fly.');
}, 240_000);

test('what processes do is told to whoever collects figures, inside alone', async () => {
  for (const name of processes) {
    const script = "fetch('http://127.0.0.1:9464/metrics').then((a) => a.text()).then((t) => console.log(t))";
    expect(await product.inside(name, 'node', '-e', script)).toContain(`service="${name}"`);
  }
  expect((await fetch(`${product.url}/metrics`)).headers.get('content-type')).toContain('text/html');
});

/** Told only once something has gone wrong. */
const ofTrouble = [
  'CaravanErrors',
  'CaravanParkedKeys',
  'CaravanSilentSource',
  'CaravanSweepFails',
  'CaravanMailsFail',
  'CaravanDependencySlow',
];

test('every alert and every panel finds its figures', async () => {
  const { body } = await signUp('Mia Cyclist', 'mia@example.org');
  const { token } = body as { token: string };
  const targets = await Promise.all(processes.map(async (name) => `${await product.addressOf(name)}:9464`));
  const prometheus = await startPrometheus(targets);
  try {
    await eventually(async () => expect(await prometheus.ask('up == 1')).toHaveLength(targets.length));
    const missing = async () => {
      const answers = queries().map(async ({ of, expr }) =>
        (await prometheus.ask(expr)).length > 0 || ofTrouble.includes(of) ? [] : [`${of}: ${expr}`],
      );
      return (await Promise.all(answers)).flat();
    };
    await eventually(async () => {
      const logged = await ask('POST', '/api/log', { token, body: { activityType: 'Cycling', durationMinutes: 10 } });
      const { id: movementLogId } = logged.body as { id: string };
      await ask('POST', '/api/feed/react', { token, body: { movementLogId, emoji: '💪' } });
      await ask('GET', '/api/leaderboard', { token });
      await ask('POST', '/api/login', { body: { email: 'mia@example.org', password: 'not-this-one' } });
      await signUp('Somebody', `somebody-${randomUUID()}@example.org`);
      expect(await missing()).toEqual([]);
    });
  } finally {
    await prometheus.close();
  }
}, 120_000);

test('asked to stop, every process ends in order within its grace', async () => {
  for (const name of processes) {
    const { exitCode, seconds } = await product.stop(name);
    expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
    expect(seconds).toBeLessThan(20);
  }
}, 240_000);

test('Ctrl-C stops all of it, and the next start takes the data up', async () => {
  expect(await product.end()).toBe(0);
  expect(await product.running()).toEqual([]);
  await product.start();
  const body = { email: 'ida@example.org', password: 'Walks-every-morning-7' };
  expect(await ask('POST', '/api/login', { body })).toMatchObject({ status: 200 });
}, 600_000);
