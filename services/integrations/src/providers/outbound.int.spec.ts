import { Dependencies } from '@caravan/service-kit/process/dependency';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import type { Fault } from '@caravan/simulators/faults';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectPerson, providersOf, startPlatforms } from '../testing/platforms.ts';
import { ProviderFigures } from './figures.ts';
import { Outbound, type Resilience, usualResilience } from './outbound.client.ts';
import { ProviderFailure, type Provider } from './provider.ts';
import { stravaActivitiesSchema } from './strava-shapes.ts';

let platforms: Awaited<ReturnType<typeof startPlatforms>>;
let asked: Awaited<ReturnType<typeof providersOf>>;
let strava: Provider;
let accessToken: string;
beforeAll(async () => {
  platforms = await startPlatforms();
  asked = await providersOf(platforms.env);
  strava = asked.providers.of('strava');
  accessToken = (await connectPerson(strava, '61000001')).tokens.accessToken;
});
afterEach(() => platforms.strava.setFault(undefined));
afterAll(async () => {
  await asked.close();
  await platforms.close();
});

/** A way out of its own, so that what one test breaks holds for no other. */
function wayOut(resilience: Partial<Resilience> = {}) {
  const metrics = new Metrics('integrations', { hasProcessMetrics: false });
  const parts = { dependencies: new Dependencies(metrics), figures: new ProviderFigures(metrics) };
  const all = { ...usualResilience, budgetMilliseconds: 20_000, ...resilience };
  const outbound = new Outbound('strava', all, parts);
  const list = () =>
    outbound.ask({
      url: `${platforms.strava.env['STRAVA_API_URL'] ?? ''}/athlete/activities`,
      headers: { authorization: `Bearer ${accessToken}` },
      schema: stravaActivitiesSchema,
    });
  return { list, metrics };
}
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof ProviderFailure ? error.why : String(error)),
  );
const calls = () => platforms.strava.server.calls.length;

test.each([
  [401, 'reconnect'],
  [403, 'refused'],
  [410, 'reconnect'],
  [429, 'busy'],
  [500, 'unreachable'],
  [503, 'unreachable'],
  ['garbage', 'unreadable'],
  ['other-shape', 'unreadable'],
  ['huge', 'unreadable'],
  ['redirect', 'unreadable'],
  ['cut', 'unreachable'],
] as const)('[S34] a platform that answers %s has failed as %s', async (kind, why) => {
  platforms.strava.setFault({ kind });
  expect(await failureOf(wayOut().list())).toBe(why);
});

test('[S34] of an answer without end no more is read than an answer may have', async () => {
  const before = process.memoryUsage().rss;
  platforms.strava.setFault({ kind: 'huge' });
  expect(await failureOf(wayOut({ mostBytes: 100_000 }).list())).toBe('unreadable');
  expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000);
});

test('[S30 S34] nobody is asked whom a platform only points to', async () => {
  platforms.strava.setFault({ kind: 'redirect', location: `${platforms.google.url}/v4/users/me/identity` });
  const before = platforms.google.server.calls.length;
  expect(await failureOf(wayOut().list())).toBe('unreadable');
  expect(platforms.google.server.calls.length).toBe(before);
});

test('[S34] a platform that hangs is given up in time', async () => {
  platforms.strava.setFault({ kind: 'hanging' });
  const from = performance.now();
  expect(await failureOf(wayOut({ budgetMilliseconds: 100 }).list())).toBe('unreachable');
  expect(performance.now() - from).toBeLessThan(5_000);
});

test('[S34] a slow platform that answers in time has answered', async () => {
  platforms.strava.setFault({ kind: 'slow', milliseconds: 50 });
  expect(await failureOf(wayOut().list())).toBe('answered');
});

test('[S34] after calls in vain a platform is left alone, and asked again when it may be back', async () => {
  const { list, metrics } = wayOut({ failures: 3, restMilliseconds: 300 });
  const state = async () =>
    /caravan_breaker_state\{dependency="strava".*\} (\d)/.exec(await metrics.registry.metrics())?.[1];
  platforms.strava.setFault({ kind: 500 });
  const before = calls();
  for (let vain = 0; vain < 10; vain += 1) expect(await failureOf(list())).toBe('unreachable');
  expect([calls() - before, await state()]).toEqual([3, '2']);
  platforms.strava.setFault(undefined);
  await expect.poll(() => failureOf(list())).toBe('answered');
  expect(await state()).toBe('0');
});

test.each([401, 403, 410, 429, 'garbage', 'huge', 'redirect'] as const)(
  '[S34] a platform that answers %s is there: nobody else is kept from asking it',
  async (kind) => {
    const { list } = wayOut({ failures: 2, mostBytes: 100_000 });
    platforms.strava.setFault({ kind });
    for (let vain = 0; vain < 4; vain += 1) expect(await failureOf(list())).not.toBe('unreachable');
    platforms.strava.setFault(undefined);
    expect(await failureOf(list())).toBe('answered');
  },
);

test('[S34] a platform that hangs holds a few calls, and one too many is told so at once', async () => {
  platforms.strava.setFault({ kind: 'hanging' });
  const { list } = wayOut({ parallel: 2, waiting: 3, failures: 100, budgetMilliseconds: 2_000 });
  const before = calls();
  const asking = Array.from({ length: 7 }, () => failureOf(list()));
  const outcomes = await Promise.race([Promise.all(asking.slice(5)), new Promise((end) => setTimeout(end, 1_500))]);
  expect(outcomes).toEqual(['busy', 'busy']);
  expect(calls() - before).toBeLessThanOrEqual(2);
  platforms.strava.setFault(undefined);
  await Promise.all(asking);
});

test('[S34] one platform that is away keeps nobody from asking the other one', async () => {
  platforms.strava.setFault({ kind: 500 });
  const from = new Date(0);
  const to = new Date();
  for (let vain = 0; vain < 7; vain += 1)
    expect(await failureOf(strava.list(accessToken, { from, to }))).toBe('unreachable');
  const fitbit = asked.providers.of('fitbit');
  const { tokens } = await connectPerson(fitbit, '62000001');
  expect(await failureOf(fitbit.list(tokens.accessToken, { from, to }))).toBe('answered');
  const text = await asked.metrics.registry.metrics();
  expect(text).toMatch(/caravan_breaker_state\{dependency="strava".*\} 2/);
  expect(text).toMatch(/caravan_breaker_state\{dependency="fitbit".*\} 0/);
  expect(text).toMatch(/caravan_provider_calls_total\{provider="strava",outcome="unreachable".*\} 7/);
});

test.each<Fault['kind']>(['garbage', 'other-shape'])(
  '[S32] a failure quotes nothing of what was answered: %s',
  async (kind) => {
    platforms.strava.setFault({ kind });
    const failure: unknown = await wayOut()
      .list()
      .catch((error: unknown) => error);
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toMatch(/weather|html|61000001/);
  },
);
