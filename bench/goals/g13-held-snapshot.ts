import { createPool } from '@caravan/event-store/postgres/connections';
import { Pool } from 'undici';
import { judge, type Finding } from '../harness.ts';
import { openLoop } from '../open-loop.ts';
import { cpuMicrosecondsOfFamily } from '../processes.ts';
import { pidOf, type Product, runningProduct, signUpPeople } from '../product.ts';
import { logScript, wrk } from '../wrk.ts';

/** Of what this machine can log, measured just before. */
const shareOfCapacity = 0.25;
const people = 60;
/** Rows of a member keep a version for each log meanwhile: nobody logs more often than anybody could. */
const secondsBetweenLogs = 10;
const windowSeconds = 20;
/** The goal is for ten minutes (600); a minute shows whether there is a slope. */
const heldSeconds = Number(process.env['BENCH_HELD_SECONDS'] ?? 60);
const services = ['identity', 'activity', 'scoring', 'social'] as const;

type Window = { readonly cpu: number; readonly failed: number; readonly stale: number };

/** G13: PostgreSQL's CPU per log while a snapshot of every database is held. */
export async function heldSnapshot(): Promise<Finding[]> {
  const product = runningProduct();
  const tokens = await signUpPeople(product, people);
  const load = { url: `${product.url}/api/log`, connections: 16, seconds: 8, script: logScript(tokens) };
  const capacity = (await wrk(load)).requestsPerSecond;
  const ratePerSecond = Math.round(capacity * shareOfCapacity);
  tokens.push(...(await signUpPeople(product, Math.max(0, ratePerSecond * secondsBetweenLogs - people))));
  const requests = new Pool(product.url, { connections: 128 });
  const window = () => logFor(product, requests, tokens, ratePerSecond);
  await window();
  const quiet = await window();
  const letGo = await holdSnapshots(product);
  const held: Window[] = [];
  try {
    while (held.length * windowSeconds < heldSeconds) held.push(await window());
  } finally {
    await letGo();
    await requests.close();
  }
  const told = held.map(({ cpu }) => Math.round(cpu)).join(', ');
  const wrong = held.reduce((sum, { failed, stale }) => sum + failed + stale, 0);
  return [
    judge({
      goal: 'G13',
      what: `PostgreSQL's CPU per log in the last of ${held.length} times ${windowSeconds} s under a held snapshot at ${ratePerSecond} logs a second of ${tokens.length} people (${told} µs) against ${Math.round(quiet.cpu)} µs without`,
      value: (held.at(-1)?.cpu ?? 0) / quiet.cpu,
      wanted: { atMost: 1.3 },
      unit: '×',
    }),
    judge({ goal: 'G13', what: 'logs refused, and boards answered stale', value: wrong, wanted: { atMost: 0 } }),
  ];
}

async function logFor(product: Product, requests: Pool, tokens: readonly string[], ratePerSecond: number) {
  const postgres = pidOf(product, 'postgres');
  const before = cpuMicrosecondsOfFamily(postgres);
  let stale = 0;
  const call = async (path: string, token: string, body?: object) => {
    const answer = await requests.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    if (answer.headers['x-stale'] === 'true') stale += 1;
  };
  const { started, failed } = await openLoop({
    ratePerSecond,
    seconds: windowSeconds,
    work: async (index) => {
      const token = tokens[index % tokens.length] ?? '';
      await call('/api/log', token, { activityType: 'Walking', durationMinutes: 10 });
      if (index % 10 === 0) await call('/api/leaderboard', token);
    },
  });
  return { cpu: (cpuMicrosecondsOfFamily(postgres) - before) / started, failed, stale };
}

async function holdSnapshots(product: Product): Promise<() => Promise<void>> {
  const pools = services.map((service) =>
    createPool(new URL(`/caravan_${service}`, product.postgresOwner).href, { max: 1 }),
  );
  const holders = await Promise.all(pools.map((pool) => pool.connect()));
  for (const holder of holders)
    await holder.query(`set application_name = 'bench: held snapshot'; set idle_in_transaction_session_timeout = 0;
      begin isolation level repeatable read; select 1`);
  return async () => {
    for (const holder of holders) holder.release(true);
    await Promise.all(pools.map((pool) => pool.end()));
  };
}
