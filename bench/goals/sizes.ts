import { globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { closeRedis, createRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import { z } from 'zod';
import { longOr } from '../form.ts';
import { type Finding, tell } from '../harness.ts';
import { company } from '../herd/company.ts';
import { caughtUp } from '../load/watch.ts';
import { patiently } from '../patiently.ts';
import { type Product, runningProduct } from '../product.ts';
import { runTimed } from '../progress.ts';
import { asOwner, vacuum } from '../seeding/databases.ts';

const goal = 'SIZES';
const [members, logsEach] = longOr([100, 40], [20, 20]);
const atATime = 8;
/** Assumes that 30 % of the members log on a day, 1.5 times each (docs/operate/scaling.md). */
const logsPerMemberYear = Math.round(0.3 * 1.5 * 365);
const worthTellingBytes = 30;

type Sizes = { readonly tables: Readonly<Record<string, number>>; readonly redis: number; readonly kafka: number };

/** What one member, and one log with all that follows, takes of tables and indexes, of Redis and of Kafka's logs. */
export async function sizes(): Promise<Finding[]> {
  const product = runningProduct();
  const empty = await measureSizes(product);
  const tokens = await company(product, members);
  const joined = await measureSizes(product);
  await runTimed(`${members * logsEach} logs`, async () => {
    // Nobody asks how fast.
    const lane = async (first: number) => {
      for (let nth = first; nth < members * logsEach; nth += atATime) await log(product, tokens[nth % members] ?? '');
    };
    await Promise.all(Array.from({ length: atATime }, (_, first) => lane(first)));
  });
  const logged = await measureSizes(product);
  const ofMember = between(empty, joined, members);
  const ofLog = between(joined, logged, members * logsEach);
  const year = (sizes: 'redis' | 'kafka' | 'postgres') => (ofMember[sizes] + logsPerMemberYear * ofLog[sizes]) / 1_024;
  const what = (about: string) => `${about}, a log with all that follows (${members * logsEach} logs)`;
  const finding = (about: string, value: number, unit: string) =>
    tell({ goal, what: about, value, unit, isBetter: 'lower' });
  const memberYear = `a member-year of ${logsPerMemberYear} logs`;
  return [
    finding(what(`tables and indexes (${listTables(ofLog.tables)})`), ofLog.postgres, ' bytes'),
    finding(what(`events alone`), ofLog.events, ' bytes'),
    finding(what('logs of Kafka, for 14 days'), ofLog.kafka, ' bytes'),
    finding(
      `tables and indexes, a member who has signed up (${listTables(ofMember.tables)})`,
      ofMember.postgres,
      ' bytes',
    ),
    finding(`tables and indexes, ${memberYear}`, year('postgres'), ' KiB'),
    finding(`memory of Redis, a member with ${logsEach} logs`, ofMember.redis + logsEach * ofLog.redis, ' bytes'),
  ];
}

async function log({ url }: Product, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ activityType: 'Walking', durationMinutes: 30, photoPrompt: 'Along the canal' });
  const answer = await patiently(() => fetch(`${url}/api/log`, { method: 'POST', headers, body }));
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`/api/log answered ${answer.status}`);
}

const tableSchema = z.array(z.object({ table: z.string(), bytes: z.coerce.number() }));
/** With their indexes and what is kept beside them for being long. */
const tablesSql = `select n.nspname || '.' || c.relname as table, pg_total_relation_size(c.oid) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'es', 'msg', 'audit')`;

async function measureSizes(product: Product): Promise<Sizes> {
  await caughtUp(product);
  await vacuum(product);
  const tables: Record<string, number> = {};
  for (const service of serviceNames)
    for (const { table, bytes } of await tablesOf(product, service))
      tables[`${service} ${table.replace('public.', '')}`] = bytes;
  return { tables, redis: await redisBytes(product), kafka: kafkaBytes() };
}

const tablesOf = async (product: Product, service: ServiceName) =>
  tableSchema.parse(await asOwner(product, service, (tx) => tx.query(tablesSql)));

async function redisBytes({ redis: url }: Product): Promise<number> {
  const redis = createRedis({ url, name: 'bench', prefix: 'bench:' });
  try {
    await isRedisReady(redis);
    return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0);
  } finally {
    await closeRedis(redis);
  }
}

/** Messages alone: indexes of a log take their full size from the beginning. */
function kafkaBytes(): number {
  const folder = join(dirname(process.env['CARAVAN_RUN_FILE'] ?? ''), 'data/kafka');
  return globSync('**/*.log', { cwd: folder }).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function between(before: Sizes, after: Sizes, count: number) {
  const tables = Object.fromEntries(
    Object.entries(after.tables).map(([name, bytes]) => [name, (bytes - (before.tables[name] ?? 0)) / count]),
  );
  const sum = (isOf: (name: string) => boolean) =>
    Object.entries(tables).reduce((total, [name, bytes]) => total + (isOf(name) ? bytes : 0), 0);
  return {
    tables,
    postgres: sum(() => true),
    events: sum((name) => name.endsWith('es.events')),
    redis: (after.redis - before.redis) / count,
    kafka: (after.kafka - before.kafka) / count,
  };
}

const listTables = (tables: Readonly<Record<string, number>>): string =>
  Object.entries(tables)
    .filter(([, bytes]) => bytes >= worthTellingBytes)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, bytes]) => `${name} ${Math.round(bytes)}`)
    .join(', ');
