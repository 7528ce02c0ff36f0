import { setTimeout as pause } from 'node:timers/promises';
import { freezeTree } from '@caravan/caravan/process/process-tree';
import { Pool } from 'undici';
import { type Finding, judge } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { pidOf, type Product, runningProduct, signUpPeople } from '../product.ts';

// The gateway is left out: without it nobody can be answered.
const parts = ['scoring', 'identity', 'activity', 'social', 'integrations', 'redis', 'kafka', 'postgres', 's3'];
/** Of these a log must not notice anything. */
const besideLogs = new Set(['scoring', 'social', 'integrations', 'redis', 'kafka', 's3']);
const paths = ['/api/log', '/api/me', '/api/feed/all?limit=10', '/api/dashboard/stats'];
const ratePerSecond = 40;
const frozenSeconds = 20;
const recoverySeconds = 10;
const afterSeconds = 5;
const longestMilliseconds = 5_000;

type Answer = { path: string; sentAt: number; milliseconds: number; status: number; isStale: boolean };

/** G15: every part hangs for 20 s beside 40 requests a second; from 10 s after on all is well again. */
export async function frozen(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, 12);
  const findings: Finding[] = [];
  for (const part of parts) findings.push(...(await freeze(product, tokens, part)));
  return findings;
}

async function freeze(product: Product, tokens: readonly string[], part: string): Promise<Finding[]> {
  const pool = new Pool(product.url, { connections: 256 });
  const answers: Answer[] = [];
  const load = openLoop({
    ratePerSecond,
    seconds: 2 + frozenSeconds + recoverySeconds + afterSeconds,
    work: async (index) => {
      const path = paths[index % paths.length] ?? '';
      answers.push(await ask(pool, path, tokens[Math.floor(index / paths.length) % tokens.length] ?? ''));
    },
  });
  await pause(2_000);
  const frozenAt = performance.now();
  const thaw = freezeTree(pidOf(product, part));
  await pause(frozenSeconds * 1_000).finally(thaw);
  const thawedAt = performance.now();
  const { failed } = await load;
  await pool.close();
  const during = answers.filter(({ sentAt }) => sentAt >= frozenAt && sentAt < thawedAt);
  const after = answers.filter(({ sentAt }) => sentAt >= thawedAt + recoverySeconds * 1_000);
  const logs = during.filter(({ path }) => path === '/api/log');
  const ill = after.filter(({ status, isStale }) => status !== 200 || isStale);
  const what = (about: string) => `${part} hangs for ${frozenSeconds} s: ${about}`;
  const worst = Math.max(...answers.map(({ milliseconds }) => milliseconds));
  const refusedLogs = logs.filter(({ status }) => status !== 200).length;
  return [
    judge({
      goal: 'G15',
      what: what('longest request'),
      value: worst,
      wanted: { atMost: longestMilliseconds },
      unit: ' ms',
    }),
    judge({ goal: 'G15', what: what('requests without an answer'), value: failed, wanted: { atMost: 0 } }),
    ...(besideLogs.has(part)
      ? [
          judge({
            goal: 'G15',
            what: what(`logs refused of ${logs.length}`),
            value: refusedLogs,
            wanted: { atMost: 0 },
          }),
        ]
      : []),
    judge({
      goal: 'G15',
      what: what(`refused or stale of ${after.length} requests from ${recoverySeconds} s after on`),
      value: ill.length,
      wanted: { atMost: Math.floor(after.length / 100) },
    }),
  ];
}

async function ask(pool: Pool, path: string, token: string): Promise<Answer> {
  const isLog = path === '/api/log';
  const sentAt = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: isLog ? 'POST' : 'GET',
    path,
    headers: { authorization: `Bearer ${token}`, ...(isLog && { 'content-type': 'application/json' }) },
    ...(isLog && { body: JSON.stringify({ activityType: 'Walking', durationMinutes: 20 }) }),
  });
  await body.dump();
  const isStale = headers['x-stale'] !== undefined;
  return { path, sentAt, milliseconds: performance.now() - sentAt, status: statusCode, isStale };
}
