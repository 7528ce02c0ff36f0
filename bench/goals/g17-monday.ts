import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { recapSchema } from '@caravan/contracts/http/recaps';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Finding, judge, percentile } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { type Product, runningProduct } from '../product.ts';
import { asOwner } from '../seeding/databases.ts';
import { grow } from '../seeding/growing.ts';
import type { Place } from '../seeding/place.ts';

const members = 10_000;
const readsPerSecond = 20;
const quietSeconds = 30;
const lookMilliseconds = 500;
const longestSeconds = 900;
const paths = ['/api/dashboard/stats', '/api/feed/all?limit=10', '/api/me', '/api/leaderboard'];

/** G17: the recap of 10,000 members is built; each has its notice and its mail, and requests do not feel it. */
export async function monday(): Promise<Finding[]> {
  const product = runningProduct();
  const [place] = await grow(product, [{ of: 'members', logs: members }]);
  if (!place) throw new Error('One organisation was asked for');
  await makeReachable(product, place);
  const pool = new Pool(product.url, { connections: 128 });
  const quiet = await reading(pool, place.founder.token, quietSeconds);
  const startedAt = performance.now();
  const told = untilTold(product, place);
  await buildRecap(product, place);
  const ended = new AbortController();
  const during: Reading[] = [];
  const readOn = async () => {
    while (!ended.signal.aborted) during.push(await reading(pool, place.founder.token, 5));
  };
  const reads = readOn();
  await told.finally(() => ended.abort());
  const seconds = (performance.now() - startedAt) / 1_000;
  await reads;
  await pool.close();
  const p99 = percentile(
    during.flatMap(({ times }) => times),
    0.99,
  );
  const quietP99 = percentile(quiet.times, 0.99);
  const failed = during.reduce((sum, reads) => sum + reads.failed, quiet.failed);
  const what = (about: string) => `${about}, ${members.toLocaleString('en')} members on Monday morning`;
  const p99s = `(${p99.toFixed(1)} and ${quietP99.toFixed(1)} ms)`;
  return [
    judge({ goal: 'G17', what: what('until the last mail'), value: seconds, wanted: { atMost: 300 }, unit: ' s' }),
    judge({
      goal: 'G17',
      what: what(`p99 of reads ${p99s}`),
      value: p99 / quietP99,
      wanted: { atMost: 2 },
      unit: '×',
    }),
    judge({ goal: 'G17', what: what('reads refused'), value: failed, wanted: { atMost: 0 } }),
  ];
}

/** Confirmed addresses, and nobody's clock shows quiet hours. */
const makeReachable = (product: Product, { orgId }: Place) =>
  asOwner(product, 'identity', (tx) =>
    tx.query('update persons set email_confirmed_at = now(), time_zone = $2 where org_id = $1', [orgId, noonZone()]),
  );

async function buildRecap(product: Product, { timeZone, founder }: Place): Promise<void> {
  const week = addDays(weekStartOf(localDateOf(new Date(), timeZone)), -7);
  const answer = await fetch(`${product.services['social']}/internal/recaps/${week}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${founder.token}`,
      'content-type': 'application/json',
      'x-service-credential': product.serviceCredential,
    },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`The recap answered ${answer.status}: ${await answer.text()}`);
  recapSchema.parse(await answer.json());
}

const countSchema = z.tuple([z.object({ count: z.number() })]);

async function untilTold(product: Product, { orgId }: Place): Promise<void> {
  const mailed = `select count(*)::int as count from due_notices
    where org_id = $1 and kind = 'weekly-report' and mailed_at is not null`;
  const shown = `select count(*)::int as count from notices where org_id = $1 and kind = 'recap-ready'`;
  const count = async (service: 'identity' | 'social', sql: string) =>
    countSchema.parse(await asOwner(product, service, (tx) => tx.query(sql, [orgId])))[0].count;
  const latest = performance.now() + longestSeconds * 1_000;
  for (;;) {
    const mails = await count('identity', mailed);
    const notices = await count('social', shown);
    // The founder is one more.
    if (mails > members && notices > members) return;
    if (performance.now() > latest) throw new Error(`After ${longestSeconds} s: ${mails} mails, ${notices} notices`);
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  }
}

type Reading = { readonly times: readonly number[]; readonly failed: number };

async function reading(pool: Pool, token: string, seconds: number): Promise<Reading> {
  const times: number[] = [];
  const { failed } = await openLoop({
    ratePerSecond: readsPerSecond,
    seconds,
    work: async (index) => {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: paths[index % paths.length] ?? '',
        headers: { authorization: `Bearer ${token}` },
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
      times.push(performance.now() - sentAt);
    },
  });
  return { times, failed };
}
