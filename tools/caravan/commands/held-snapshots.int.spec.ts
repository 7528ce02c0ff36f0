import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { createPatientPool, createPool } from '@caravan/event-store/postgres/connections';
import { registerState, stateOf } from '@caravan/messaging/operator/state-metrics';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Client } from '@caravan/event-store/postgres/client';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { doctor, heldSnapshots } from './doctor.ts';
import { root } from '../process/paths.ts';
import { type RunFile, writeRunFile } from '../servers/instance-files.ts';

const heldForSeconds = 0.5;
const deletedRows = 2_000;

let folder: string;
let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let run: RunFile;
const metrics = new Metrics('activity', { hasProcessMetrics: false });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor '));
  const libraries = ['libs/event-store/migrations', 'libs/messaging/migrations'];
  database = await createTestDatabase({ folders: libraries.map((each) => join(root, each)) });
  pool = createPool(database.url, { max: 1 });
  owner = createPatientPool(database.ownerUrl, { max: 1 });
  const perService = (address: string) => Object.fromEntries(serviceNames.map((name) => [name, address]));
  run = {
    url: 'http://127.0.0.1:9',
    postgres: perService(database.url) as RunFile['postgres'],
    postgresOwner: '',
    kafka: [],
    redis: '',
    s3: { endpoint: '', bucket: '', region: '', accessKey: '', secretKey: '' },
    services: perService('http://127.0.0.1:9') as RunFile['services'],
    serviceCredential: 'secret',
    mail: { smtp: '', http: '' },
    platforms: {},
    pids: {},
    crashes: {},
  };
  writeRunFile({ runFile: join(folder, 'run.json') }, run);
  registerState(
    metrics,
    stateOf(pool, { endOffsets: () => Promise.resolve([]) }, () => []),
  );
});
afterAll(async () => {
  await Promise.all([pool, owner].map((each) => each.end()));
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** What the doctor prints of the activity service's database. */
async function doctorLines(): Promise<string[]> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    await doctor({ runFile: join(folder, 'run.json'), log: folder }, heldForSeconds);
  } finally {
    write.mockRestore();
  }
  return text.split('\n').filter((line) => line.startsWith('!  activity'));
}

/** A figure as Prometheus reads it. */
async function figure(name: string): Promise<number | undefined> {
  const lines = (await metrics.registry.metrics()).split('\n');
  const line = lines.find((each) => each.startsWith(name) && each.includes('service="activity"'));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Fills the outbox and empties it again. */
async function turnOver(): Promise<void> {
  await owner.query(
    `insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     select nextval('es.events_pos_seq'), 0, 'key', gen_random_uuid(), gen_random_uuid(), 'Counted', 1, '{}', '{}', now()
     from generate_series(1, $1::int)`,
    [deletedRows],
  );
  await owner.query('delete from es.outbox');
}

test.each([
  ['a snapshot', 'begin isolation level repeatable read; select 1'],
  [
    'a transaction that has written',
    'begin; update es.epochs set epoch = epoch where false; select pg_current_xact_id()',
  ],
])('[G13] the doctor and the figures tell who holds %s, and what cannot go because of it', async (_what, begin) => {
  await expect
    .poll(async () => [await doctorLines(), await figure('caravan_dead_rows{table="es.outbox"')])
    .toEqual([[], undefined]);
  const holder = new Client({ connectionString: database.ownerUrl, application_name: 'a nightly dump' });
  await holder.connect();
  try {
    await holder.query(begin);
    await turnOver();
    await owner.query('vacuum es.outbox');
    const line = new RegExp(
      'a nightly dump \\(t_owner, pid \\d+, idle in transaction\\) has held a snapshot for 0 min; ' +
        // Statistics may count them twice where the server analyses the table at this moment.
        `deleted rows that cannot go: es.outbox (${deletedRows}|${2 * deletedRows}); see docs/operate/monitoring.md$`,
    );
    await expect.poll(doctorLines).toEqual([expect.stringMatching(line)]);
    await expect.poll(() => figure('caravan_dead_rows{table="es.outbox"')).toBeGreaterThanOrEqual(deletedRows);
    expect(await figure('caravan_oldest_snapshot_age_seconds')).toBeGreaterThan(heldForSeconds);
    // What is younger than a minute is everyday.
    expect(await heldSnapshots(run)).toEqual([]);
  } finally {
    await holder.end();
  }
  await expect.poll(doctorLines).toEqual([]);
  await expect.poll(() => figure('caravan_oldest_snapshot_age_seconds')).toBe(0);
  const afterVacuum = () => owner.query('vacuum es.outbox').then(() => figure('caravan_dead_rows{table="es.outbox"'));
  await expect.poll(afterVacuum).toBeUndefined();
});
