import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { Client } from './client.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase({ folders: [] });
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, sql: string): Promise<void> => {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
};
const run = () =>
  migrate({ databaseUrl: database.ownerUrl, folders: [folder], runtimeRole: new URL(database.url).username });
const tables = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '\\_%' order by 1`,
  );
  return rows.map(({ name }) => name);
};

describe('migrating', () => {
  test('applies what is new in order of the names, once', async () => {
    await write('2_grow', 'alter table tree add column height integer');
    await write('1_plant', 'create table tree (kind text)');
    expect(await run()).toEqual(['1_plant', '2_grow']);
    await write('3_fell', 'drop table tree');
    expect(await run()).toEqual(['3_fell']);
    expect(await run()).toEqual([]);
  });

  test('may be started by several processes at once', async () => {
    await write('1_dig', 'create table pond (depth integer)');
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat()).toEqual(['1_dig']);
  });

  test('lets others ask a table while it waits for somebody who holds it, and migrates once they are done', async () => {
    await write('1_well', 'create table well (depth integer)');
    await run();
    await write('2_deeper', 'alter table well add column width integer');
    await owner.query('begin');
    await owner.query('select * from well');
    const migrated = run();
    const reader = new Client({ connectionString: database.ownerUrl });
    await reader.connect();
    const waits = `select 1 from pg_locks where relation = 'well'::regclass and not granted`;
    await expect.poll(async () => (await reader.query(waits)).rowCount, { timeout: 5_000 }).toBe(1);
    await reader.query(`set statement_timeout = '2500ms'`);
    expect((await reader.query('select * from well')).rows).toEqual([]);
    await owner.query('commit');
    expect(await migrated).toEqual(['2_deeper']);
    await reader.end();
  });

  test('makes an index beside writers, again after an attempt that broke off, also when several processes begin', async () => {
    await write('1_field', 'create table field (size integer); insert into field values (1), (1)');
    await run();
    const unique = 'create unique index concurrently field_by_size on field (size)';
    await write('2_index', `-- dropped first\ndrop index concurrently if exists field_by_size;\n${unique};\n`);
    await expect(run()).rejects.toThrow('could not create unique index');
    await owner.query('delete from field');
    expect((await Promise.all([run(), run()])).flat()).toEqual(['2_index']);
    const { rows } = await owner.query(`select indisvalid from pg_index where indexrelid = 'field_by_size'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('keeps nothing of a migration that fails, names it and its line, and goes on once it is mended', async () => {
    await write('1_half', 'create table half (a integer);\ncreate table half (a integer);\n');
    await expect(run()).rejects.toThrow(
      /Migration 1_half failed and nothing of it was kept: relation "half" already exists/,
    );
    expect(await tables()).not.toContain('half');
    await write('1_half', 'create table half (a integer);\nselect wrong from half;\n');
    await expect(run()).rejects.toThrow('(line 2 of migration.sql)');
    await write('1_half', 'create table half (a integer)');
    expect(await run()).toEqual(['1_half']);
  });

  test('refuses a file that was changed after it had been applied', async () => {
    await write('1_stone', 'create table stone (weight integer)');
    await run();
    await write('1_stone', 'create table stone (weight bigint)');
    await expect(run()).rejects.toThrow('Migration 1_stone was changed after it had been applied');
  });

  test('refuses to build on a migration that Prisma left half done', async () => {
    await write('1_bridge', 'create table bridge (span integer)');
    await owner.query(`insert into _prisma_migrations (id, checksum, migration_name) values ('1', 'x', '1_bridge')`);
    await expect(run()).rejects.toThrow('Migration 1_bridge failed earlier');
    await owner.query(`delete from _prisma_migrations where id = '1'`);
  });

  test('[ADR-0070] data of a version from before the baselines is refused and left as it was', async () => {
    await write('20260115000000_trunk_baseline', 'create table trunk (girth integer)');
    await owner.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
       values ('old', 'x', '20260101000000_event_store', now())`,
    );
    const recordedMigrations = async () => (await owner.query('select * from _prisma_migrations order by id')).rows;
    const before = [await tables(), await recordedMigrations()];
    await expect(run()).rejects.toThrow(
      'This data was made by an unreleased version of Caravan and cannot be upgraded.',
    );
    expect([await tables(), await recordedMigrations()]).toEqual(before);
    await owner.query(`delete from _prisma_migrations where id = 'old'`);
    expect(await run()).toEqual(['20260115000000_trunk_baseline']);
  });

  test('says which folder or file is missing', async () => {
    await mkdir(join(folder, '1_empty'));
    await expect(run()).rejects.toThrow('1_empty has no file migration.sql');
    const nowhere = { databaseUrl: database.ownerUrl, folders: [join(folder, 'none')], runtimeRole: 'nobody' };
    await expect(migrate(nowhere)).rejects.toThrow('There is no migrations folder');
  });

  test('gives the runtime role the rows of new tables and nothing more', async () => {
    await write('1_bench', 'create table bench (id bigint generated always as identity, name text)');
    await run();
    const runtime = new Client({ connectionString: database.url });
    await runtime.connect();
    await runtime.query(`insert into bench (name) values ('oak')`);
    expect((await runtime.query('select name from bench')).rows).toEqual([{ name: 'oak' }]);
    await expect(runtime.query('truncate bench')).rejects.toThrow('permission denied');
    await expect(runtime.query('alter table bench add column legs integer')).rejects.toThrow('must be owner');
    await expect(runtime.query('create table chair ()')).rejects.toThrow('permission denied');
    await expect(runtime.query('select * from _prisma_migrations')).rejects.toThrow('permission denied');
    await runtime.end();
  });

  test('keeps the records that Prisma keeps', async () => {
    await write('1_wall', 'create table wall (height integer)');
    await run();
    const { rows } = await owner.query(`select * from _prisma_migrations where migration_name = '1_wall'`);
    expect(rows).toMatchObject([{ appliedStepsCount: 1, rolledBackAt: null, logs: null }]);
    expect(rows[0].finishedAt).toBeInstanceOf(Date);
    expect(rows[0].checksum).toMatch(/^[0-9a-f]{64}$/);
  });
});
