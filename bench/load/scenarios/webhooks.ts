import { setTimeout as pause } from 'node:timers/promises';
import { answerConsent } from '@caravan/simulators/consent';
import { z } from 'zod';
import { longOr } from '../../form.ts';
import { type Finding, judge, percentile, tell } from '../../harness.ts';
import { openLoop } from '../../open-loop.ts';
import { patiently } from '../../patiently.ts';
import { type Product, runningProduct } from '../../product.ts';
import { runTimed } from '../../progress.ts';
import { asOwner } from '../../seeding/databases.ts';
import { colleagues, oneOf } from '../people.ts';
import { atRate } from '../scenario.ts';
import { Tally } from '../tally.ts';
import { Visitors } from '../visitors.ts';
import { watch } from '../watch.ts';

const goal = 'LOAD-WEBHOOKS';
const [connectedMembers, workoutsEach] = longOr([50, 20], [10, 20]);
const total = connectedMembers * workoutsEach;
const perSecond = 200;
const readsPerSecond = 20;
const lookMilliseconds = 250;
const patienceSeconds = 180;
const minute = 60_000;
const mostTimes = 5;

const deliveriesSchema = z.array(
  z.object({ attempts: z.array(z.object({ status: z.number(), milliseconds: z.number() })) }),
);

/** A platform tells of a thousand workouts at once: each is taken in time, asked for, and counts. */
export async function syncBurst(): Promise<Finding[]> {
  const product = runningProduct();
  const platform = product.platforms.googleHealth;
  if (platform === undefined) throw new Error('No platform is simulated: run `./caravan bench`');
  const tokens = await colleagues(product);
  const run = String(Date.now()).slice(-9);
  await runTimed(`${connectedMembers} people have connected their platform`, async () => {
    for (let nth = 0; nth < connectedMembers; nth += 1) {
      const isConnected = () => connect(product, tokens[nth] ?? '', personOf(run, nth));
      // A browser that came back too late begins anew.
      for (let time = 1; !(await isConnected()); time += 1)
        if (time === mostTimes) throw new Error(`Somebody was not connected ${mostTimes} times`);
    }
  });
  const visitors = new Visitors(product.url, new Tally());
  const look = { visit: (by: Visitors, nth: number) => by.ask({ path: '/api/me', token: oneOf(tokens, nth) }) };
  const already = await countImports(product);
  const watching = watch(product);
  const startedAt = performance.now();
  const reads = atRate(visitors, look, { rate: readsPerSecond, during: 2 * Math.ceil(total / perSecond) });
  const { failed } = await openLoop({
    ratePerSecond: perSecond,
    seconds: total / perSecond,
    work: (nth) => addWorkout(platform, personOf(run, nth % connectedMembers), Math.floor(nth / connectedMembers)),
  });
  if (failed > 0) throw new Error(`${failed} workouts could not be added at the platform`);
  const counts = await untilCounted(product, already + total);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { visits } = await reads;
  const { highestLags } = await watching.end();
  await visitors.close();
  const attempts = (await deliveries(platform)).slice(-total).map((one) => one.attempts);
  const times = attempts.flatMap((each) => each.map(({ milliseconds }) => milliseconds));
  const notAtOnce = attempts.filter(([first]) => first?.status !== 204).length;
  const what = (about: string) => `${about}, a burst of ${total} webhooks, ${perSecond} a second`;
  const wait = (name: string, share: number) =>
    judge({
      goal,
      what: what(`${name} until a webhook is answered`),
      value: percentile(times, share),
      wanted: { atMost: 2_000 },
      unit: ' ms',
    });
  return [
    wait('p50', 0.5),
    wait('p95', 0.95),
    wait('p99', 0.99),
    judge({ goal, what: what('not taken the first time'), value: notAtOnce, wanted: { atMost: 0 } }),
    judge({ goal, what: what('workouts missing'), value: already + total - counts, wanted: { atMost: 0 } }),
    judge({ goal, what: what('until the last counts'), value: seconds, wanted: { atMost: 60 }, unit: ' s' }),
    judge({ goal, what: what('reads refused'), value: visits.count - visits.good, wanted: { atMost: 0 } }),
    judge({ goal, what: what('p95 of reads'), value: visits.p95, wanted: { atMost: 500 }, unit: ' ms' }),
    tell({
      goal,
      what: what(`messages that a consumer was behind at most`),
      isBetter: 'lower',
      value: Math.max(0, ...Object.values(highestLags)),
    }),
  ];
}

/** No number begins with a nought. */
const personOf = (run: string, nth: number): string => `7${run}${String(nth).padStart(3, '0')}`;

/** As a person does in a browser. */
async function connect({ url }: Product, token: string, person: string): Promise<boolean> {
  const asked = await patiently(() =>
    fetch(`${url}/api/fitness/fitbit/auth?scored=true`, { headers: { authorization: `Bearer ${token}` } }),
  );
  if (!asked.ok) throw new Error(`/api/fitness/fitbit/auth answered ${asked.status}: ${await asked.text()}`);
  const { authUrl } = z.object({ authUrl: z.string() }).parse(await asked.json());
  const back = await answerConsent(authUrl, { person });
  const cookie = (asked.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const answer = await fetch(`${url}/api/fitness/fitbit/callback${back.search}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  return (answer.headers.get('location') ?? '').includes('connected');
}

/** None overlaps another one of the same person. */
async function addWorkout(platform: string, person: string, nth: number): Promise<void> {
  const startedAt = new Date(Date.now() - (nth + 1) * 80 * minute).toISOString();
  const answer = await fetch(`${platform}/simulator/workouts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person, type: 'WALKING', movingSeconds: 1_200, startedAt }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The platform answered ${answer.status}`);
}

const deliveries = async (platform: string) =>
  deliveriesSchema.parse(await (await fetch(`${platform}/simulator/deliveries`)).json());

const countSchema = z.tuple([z.object({ count: z.number() })]);
const importedSql = `select count(*)::int as count from posts where source = 'fitbit'`;

async function countImports(product: Product): Promise<number> {
  return countSchema.parse(await asOwner(product, 'social', (tx) => tx.query(importedSql)))[0].count;
}

async function untilCounted(product: Product, wanted: number): Promise<number> {
  const until = performance.now() + patienceSeconds * 1_000;
  for (;;) {
    const count = await countImports(product);
    if (count >= wanted || performance.now() > until) return count;
    await pause(lookMilliseconds);
  }
}
