import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@caravan/caravan/process/ports';
import { Pool } from 'undici';
import { type Finding, judge } from '../harness.ts';
import { pidOf, type Product, runningProduct, signUpPeople } from '../product.ts';

const people = 50;
const views = 2;
const calls = [
  '/api/me',
  '/api/org/branding',
  '/api/dashboard/stats',
  '/api/weekly-challenges',
  '/api/bonus-challenge',
  '/api/journey',
  '/api/user/badges',
  '/api/me/settings',
  '/api/feed/all?limit=10',
  '/api/leaderboard',
];

/** G16: people of one office, behind one address, at a gateway with an operator's limits. */
export async function office(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, people);
  const gateway = await secondGateway(product);
  const pool = new Pool(gateway.url, { connections: 64 });
  let refused = 0;
  const asked = tokens.flatMap((token) =>
    Array.from({ length: views }, () => calls).flatMap((each) => each.map((path) => ({ token, path }))),
  );
  const visit = async ({ token, path }: (typeof asked)[number]) => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
    });
    await body.dump();
    if (statusCode !== 200) refused += 1;
  };
  const startedAt = performance.now();
  await Promise.all(asked.map(visit));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  await pool.close();
  gateway.end();
  const what = `of ${asked.length} requests of ${people} people behind one address, ${views} page views each in ${seconds} s: refused`;
  return [judge({ goal: 'G16', what, value: refused, wanted: { atMost: 0 } })];
}

/** With an operator's limits: a bench raises its own. */
async function secondGateway(product: Product): Promise<{ url: string; end(): void }> {
  const pid = pidOf(product, 'gateway');
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
  const [command = process.execPath, ...args] = read('cmdline');
  const variables = read('environ').map(
    (each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const,
  );
  const own = variables.filter(([name]) => !name.startsWith('LIMIT_') && name !== 'METRICS_PORT');
  const port = await freePort();
  const env = { ...Object.fromEntries(own), PORT: String(port) };
  const child = spawn(command, args, { env, cwd: readlinkSync(`/proc/${pid}/cwd`), stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('the second gateway has ended');
    await pause(50);
  }
  return { url, end: () => child.kill() };
}
