import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { startTcpProxy, type TcpProxy } from '@caravan/service-kit/testing/tcp-proxy';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPool, withSystem } from './connections.ts';

const silenceMilliseconds = 600;
let database: TestDatabase;
let proxy: TcpProxy;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase({ folders: [] });
});
afterAll(() => database.drop());
beforeEach(async () => {
  const url = new URL(database.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  pool = createPool(url.href, { max: 4, silenceMilliseconds });
});
afterEach(async () => {
  await pool.end();
  await proxy.close();
});

const look = () => withSystem(pool, (tx) => tx.query<{ pid: number }>('select pg_backend_pid() as pid'));
const wait = (seconds: number) => withSystem(pool, (tx) => tx.query('select pg_sleep($1)', [seconds]));

test('background work fails when its connection goes silent, and its retry gets a new connection', async () => {
  await Promise.all([wait(0.1), wait(0.1), wait(0.1), wait(0.1)]);
  expect(pool.idleCount).toBe(4);
  proxy.silence();
  await expect(look()).rejects.toThrow('Connection terminated unexpectedly');
  expect((await look()).rows).toHaveLength(1);
});

test('a transaction fails when its connection goes silent', async () => {
  const work = withSystem(pool, async (tx) => {
    await tx.query('select 1');
    proxy.silence();
    await tx.query('select 2');
  });
  await expect(work).rejects.toThrow('Connection terminated unexpectedly');
  expect((await look()).rows).toHaveLength(1);
});

test('a transaction may take longer than the limit of silence while its statements are answered', async () => {
  await withSystem(pool, async (tx) => {
    for (let step = 0; step < 6; step += 1) await tx.query('select pg_sleep($1)', [silenceMilliseconds / 3_000]);
  });
});

test('PostgreSQL ends a statement whose client has destroyed its connection', async () => {
  await expect(wait(3_600)).rejects.toThrow('Connection terminated unexpectedly');
  const running = async () => {
    const { rows } = await withSystem(pool, (tx) =>
      tx.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep%' and state = 'active'`,
      ),
    );
    return rows[0]?.count;
  };
  await expect.poll(running, { timeout: 20_000 }).toBe(0);
});
