import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, codeNameOf } from './client.ts';
import { createPool, withSystem } from './connections.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase({ folders: [] });
  pool = createPool(database.url, { max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each([
  ['user_id', 'userId'],
  ['run_started_on', 'runStartedOn'],
  ['count', 'count'],
  ['userId', 'userId'],
  ['?column?', '?column?'],
  ['_count', '_count'],
  ['week_1', 'week_1'],
])('the column %s has the name %s in code', (column, name) => {
  expect(codeNameOf(column)).toBe(name);
});

describe('rows have the names that code uses', () => {
  const row = { userId: 1, runStartedOn: '2026-11-28', asWritten: 2, n: 3, json: { is_same: true } };
  const quoted = '"asWritten"';
  const text = `select $1::int as user_id, '2026-11-28'::date as run_started_on, 2 as ${quoted}, 3 as n,
    '{"is_same": true}'::json as json`;

  test('a statement that is prepared answers with them each time it is executed', async () => {
    const answers = await withSystem(pool, async (tx) => [await tx.query(text, [1]), await tx.query(text, [1])]);
    expect(answers.map(({ rows }) => rows)).toEqual([[row], [row]]);
  });

  test('a statement without values answers with them, also beside others in one message', async () => {
    expect((await pool.query(text.replace('$1', '1'))).rows).toEqual([row]);
    const both = (await pool.query('select 1 as first_one; select 2 as second_one')) as unknown;
    expect(both).toMatchObject([{ rows: [{ firstOne: 1 }] }, { rows: [{ secondOne: 2 }] }]);
  });

  test('rows that a statement writes and returns have them', async () => {
    const written = await withSystem(pool, async (tx) => {
      await tx.query('create temporary table walks (walk_id int primary key, is_long boolean)');
      await tx.query('insert into walks values (1, false)');
      return tx.query('update walks set is_long = $1 returning walk_id, is_long', [true]);
    });
    expect(written.rows).toEqual([{ walkId: 1, isLong: true }]);
  });

  test('a statement without rows answers with the names of its columns', async () => {
    const { rows, fields } = await pool.query('select 1 as walk_id where false');
    expect([rows, fields.map(({ name }) => name)]).toEqual([[], ['walkId']]);
  });

  test('rows that are asked for as arrays keep the names of their columns, which Prisma reads', async () => {
    const { rows, fields } = await pool.query({ text: 'select 1 as walk_id', rowMode: 'array' });
    expect([rows, fields.map(({ name }) => name)]).toEqual([[[1]], ['walk_id']]);
  });

  test('a connection outside a pool answers with them', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ walkId: number }>('select 1 as walk_id');
    await client.end();
    expect(rows).toEqual([{ walkId: 1 }]);
  });
});
