import { readFileSync } from 'node:fs';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { expect } from '@playwright/test';
import { expectProblem, join } from '../api.ts';
import { test } from '../journey.ts';

type Described = { security?: object[]; requestBody?: object; operationId: string };
type Document = { paths: Record<string, Record<string, Described>> };

const document = JSON.parse(readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
);
const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
const withBearer = operations.filter(({ security }) => security?.some((way) => 'bearer' in way));

test('the document that the product serves is the one in the repository', async ({ request }) => {
  expect(await (await request.get('/api/openapi.json')).json()).toEqual(document);
});

test('[6.3] every operation but the public ones needs a bearer token, and a good one', async ({ request }) => {
  const { token } = await join(request);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const admin = Buffer.from(claims, 'base64url').toString().replace('"member"', '"admin"');
  const forged = [
    undefined,
    'Bearer nonsense',
    `Basic ${token}`,
    `Bearer ${head}.${Buffer.from(admin).toString('base64url')}.${signature}`,
    `Bearer ${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${claims}.`,
  ];
  expect(withBearer.length).toBeGreaterThan(8);
  for (const { path, method } of withBearer)
    for (const authorization of forged) {
      const headers = authorization === undefined ? {} : { authorization };
      await expectProblem(await request.fetch(path, { method, headers, ...(method !== 'GET' && { data: {} }) }), 401);
    }
});

test('[D38] what is not JSON, not said to be JSON or too large is refused as such', async ({ request }) => {
  const { headers } = await join(request);
  for (const { path, method } of withBody) {
    const send = (data: string, type: string) =>
      request.fetch(path, {
        method,
        headers: { ...headers, 'content-type': type, origin: 'http://127.0.0.1:8080' },
        data: Buffer.from(data),
      });
    await expectProblem(await send('{"name": ', 'application/json'), 400);
    await expectProblem(await send('name=maya', 'application/x-www-form-urlencoded'), 415);
    // The set-up brings a logo, so it may bring 1 MB.
    const tooLarge = path === '/api/company/setup' ? 1_100_000 : 110_000;
    await expectProblem(await send(JSON.stringify({ text: 'x'.repeat(tooLarge) }), 'application/json'), 413);
  }
});

const strange: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'a\u0000b',
  '\u202Eabc',
  '💥'.repeat(500),
  [],
  {},
  { $ne: 1 },
];

test('[D4 D38] strange values in any field are refused with the field and never break anything', async ({
  request,
}) => {
  const { headers } = await join(request);
  const fields = [
    'activityType',
    'durationMinutes',
    'source',
    'startedAt',
    'photoPrompt',
    'location',
    'bonusChallengeId',
  ];
  const good = { activityType: 'Walking', durationMinutes: 30 };
  for (const field of fields)
    for (const value of strange) {
      const answer = await request.post('/api/log', { headers, data: { ...good, [field]: value } });
      const status = answer.status();
      expect([200, 422], `${field}: ${JSON.stringify(value)} answered ${status}`).toContain(status);
      if (status === 422) {
        await expectProblem(answer, 422);
        const [wrong] = ((await answer.json()) as { errors: { path: string }[] }).errors;
        // NUL is refused for the body as a whole, wherever it stands.
        expect(wrong?.path).toBe(value === 'a\u0000b' ? '' : field);
      }
    }
  for (const root of ['null', '[]', '"text"', '7'])
    await expectProblem(
      await request.post('/api/log', {
        headers: { ...headers, 'content-type': 'application/json' },
        data: Buffer.from(root),
      }),
      422,
    );
});

test('[7.17 D6] a refused log leaves nothing behind, a good one exactly its miles', async ({ request }) => {
  const { headers } = await join(request, 'Exact Miles');
  const log = (data: object) => request.post('/api/log', { headers, data });
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const refused = [
    { activityType: 'Walking', durationMinutes: 9 },
    { activityType: 'Walking', durationMinutes: 1441 },
    { activityType: 'Walking', durationMinutes: 30.5 },
    { activityType: 'Walking', durationMinutes: 30, startedAt: at(1) },
    { activityType: 'Walking', durationMinutes: 30, startedAt: at(-8) },
  ];
  for (const body of refused) await expectProblem(await log(body), 422);
  await expectProblem(await log({ activityType: 'Walking', durationMinutes: 30, photoPath: '/objects/x' }), 404);
  expect(await (await request.get('/api/logs', { headers })).json()).toEqual([]);
  const answer = await log({
    activityType: 'Walking',
    durationMinutes: 30,
    totalMiles: 1e6,
    userId: randomUUID(),
    orgId: 'x',
  });
  expect(await answer.json()).toMatchObject({ milesEarned: 3, totalMiles: 3, multiplier: 1, bonusApplied: false });
  expect(await (await request.get('/api/dashboard/stats', { headers })).json()).toMatchObject({ weeklyMiles: 3 });
});

test('[D38] the same Idempotency-Key logs once, and refuses another body', async ({ request }) => {
  const caller = await join(request);
  const headers = { ...caller.headers, 'idempotency-key': randomUUID() };
  const data = { activityType: 'Walking', durationMinutes: 30 };
  const answers = await Promise.all(Array.from({ length: 10 }, () => request.post('/api/log', { headers, data })));
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  await expectProblem(await request.post('/api/log', { headers, data: { ...data, durationMinutes: 60 } }), 422);
  expect(await (await request.get('/api/me', caller)).json()).toMatchObject({ totalMiles: 3 });
});

test('[D4] what belongs to another organisation does not exist', async ({ request }) => {
  const ours = await join(request, 'Our house');
  const theirs = await join(request, 'Their house');
  const secret = `canary-${randomUUID()}`;
  await request.post('/api/log', {
    headers: theirs.headers,
    data: { activityType: secret, durationMinutes: 60, photoPrompt: secret },
  });
  for (const { path, method } of withBearer.filter(
    (operation) => operation.method === 'GET' && operation.path !== '/api/events',
  )) {
    const text = await (await request.fetch(path, { method, headers: ours.headers })).text();
    expect(text).not.toContain(secret);
    expect(text).not.toContain(theirs.id);
  }
  const board = (await (await request.get('/api/leaderboard', ours)).json()) as { users: object[]; teams: object[] };
  expect([board.users.length, board.teams.length]).toEqual([0, 2]);
});
