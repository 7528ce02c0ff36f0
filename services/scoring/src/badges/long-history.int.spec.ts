import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createPool, tenantQuery, withSystem } from '@caravan/event-store/postgres';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordSql, recordsOf } from './badges.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
// Many times what a badge can ask for; reading all of it touches hundreds of blocks.
const movements = 20_000;
const fewBuffers = 60;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
dropWithoutLook('movements are put down as rows, without the entries behind them');
let pool: ReturnType<typeof createPool>;
const [orgId, userId] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
  await withSystem(pool, (tx) =>
    tx.query(
      `insert into credited_movements (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at)
       select $1, uuidv7(), $2, $3, (array['Walking', 'WALKING', 'Yoga', 'Zumba'])[1 + n % 4], 300, now() - n * interval '1 hour'
       from generate_series(1, $4) n`,
      [orgId, userId, randomUUID(), movements],
    ),
  );
  const owner = createPool(database.ownerUrl);
  await owner.query('vacuum analyze credited_movements');
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

test('[D13 G5] what badges ask of a member touches few blocks, however long the history', async () => {
  const sql = `explain (analyze, buffers, format json) ${recordSql}`;
  const { rows } = await tenantQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(pool, orgId, sql, [[orgId], [userId]]);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  expect((plan?.['Shared Hit Blocks'] ?? Infinity) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(fewBuffers);
});

test('[D13] activities differ by their letters, not by their case', async () => {
  const [record] = await withSystem(pool, (tx) => recordsOf(tx, [{ orgId, userId }]));
  expect(record?.activities).toEqual(['walking', 'yoga', 'zumba']);
  expect(record?.figures).toMatchObject({ activities: 3, logs: 100 });
});
