import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { migrationsOfDatabase } from '@caravan/event-store/postgres/migrate';
import { createPool } from '@caravan/event-store/postgres/connections';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { type Held, heldBack } from '@caravan/messaging/operator/held-back';
import { stateOf } from '@caravan/messaging/operator/state-metrics';
import type { Pool } from 'pg';
import { foldersOf } from '../../servers/databases.ts';
import { root } from '../../process/paths.ts';
import { consumerFindings } from '../consumers.ts';
import { fine, type Finding, findingsOf, type Installation, metricsUrlOf, noteworthy, wrong } from './installation.ts';

const oldMessageSeconds = 60;
const heldSeconds = 60;
const retainedBytes = 1_000_000_000;

async function withPool<Result>(databaseUrl: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool(databaseUrl, { acquireTimeoutMillis: 3_000, max: 2 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function migrationsIn(service: ServiceName, owner: string): Promise<Finding> {
  const folders = foldersOf(service).map((folder) => join(root, folder));
  const { pending, unknown, failed } = await migrationsOfDatabase(owner, folders);
  const what = `${service} schema`;
  if (failed.length > 0) return wrong(what, `half applied: ${failed.join(', ')}`);
  if (pending.length > 0) return wrong(what, `lacks ${pending.join(', ')}: prepare`);
  if (unknown.length > 0) return noteworthy(what, `newer than this release: ${unknown.join(', ')}`);
  return fine(what, 'as this release has it');
}

async function messagesIn(service: ServiceName, pool: Pool, kafka: Kafka): Promise<Finding[]> {
  const state = stateOf(pool, kafka, () => []);
  const [backlog, refused, parked] = await Promise.all([state.backlog(), state.countRefused(), state.parkedKeys()]);
  const standing = parked.reduce((sum, { keys }) => sum + keys, 0);
  const waiting = `${backlog.rows} messages wait for Kafka, the oldest for ${Math.round(backlog.oldestAgeSeconds)} s`;
  const stand = `${standing} keys are parked, ${refused.messages} messages were refused: redrive ${service}`;
  return [
    (backlog.oldestAgeSeconds > oldMessageSeconds ? wrong : fine)(`${service} outbox`, waiting),
    ...(standing + refused.messages > 0 ? [wrong(`${service} messages`, stand)] : []),
  ];
}

/** Sessions, slots and prepared transactions that keep old rows, or the log, from going. */
export function heldFindings(what: string, { oldest, prepared, slots }: Held): Finding[] {
  const isLong = ({ ageSeconds }: { ageSeconds: number }) => ageSeconds >= heldSeconds;
  const sessions = [oldest]
    .filter((one) => one !== undefined)
    .filter(isLong)
    .map(({ application, role, pid, state, ageSeconds }) =>
      noteworthy(
        what,
        `${application || 'a session'} (${role}, pid ${pid}, ${state}) has held a snapshot for ${Math.floor(ageSeconds)} s`,
      ),
    );
  const transactions = prepared
    .filter(isLong)
    .map(({ name, owner, ageSeconds }) =>
      wrong(what, `${owner} prepared the transaction ${name} ${Math.floor(ageSeconds)} s ago: commit or roll it back`),
    );
  const readers = slots
    .filter(({ isActive, bytes }) => !isActive || bytes > retainedBytes)
    .map(({ name, isActive, bytes }) => {
      const reader = isActive ? 'has a slow reader' : 'has no reader';
      const kept = `keeps ${Math.ceil(bytes / 1e6)} MB of the log`;
      return wrong(what, `the replication slot ${name} ${reader} and ${kept}: bring its reader back, or drop it`);
    });
  return [...sessions, ...transactions, ...readers];
}

async function sizeOf(service: ServiceName, pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ bytes: number; version: string }>(
    `select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as version`,
  );
  return fine(`${service} database`, `PostgreSQL ${rows[0]?.version}, ${Math.ceil((rows[0]?.bytes ?? 0) / 1e6)} MB`);
}

export async function databasesAndLag(installation: Installation, kafka: Kafka): Promise<Finding[]> {
  const { services, serviceCredential } = installation;
  const all = serviceNames.map(async (service) => {
    const { runtime, owner } = installation.databases[service];
    const url = services[service];
    const address = { url, metricsUrl: metricsUrlOf(url, installation), serviceCredential };
    return [
      ...(await findingsOf(`${service} schema`, () => migrationsIn(service, owner))),
      ...(await findingsOf(`${service} database`, () =>
        withPool(owner, async (pool) => [
          await sizeOf(service, pool),
          ...heldFindings(`${service} database`, await heldBack(pool)),
        ]),
      )),
      ...(await findingsOf(`${service} messages`, () => withPool(runtime, (pool) => messagesIn(service, pool, kafka)))),
      ...(await findingsOf(`${service} consumers`, () =>
        withPool(runtime, (pool) => consumerFindings({ ...address, name: service, pool, kafka })),
      )),
    ];
  });
  return (await Promise.all(all)).flat();
}
