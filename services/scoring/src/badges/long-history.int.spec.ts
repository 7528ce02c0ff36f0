import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
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
const orgId = randomUUID();
const userId = randomUUID();
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
  const owner = createPatientPool(database.ownerUrl);
  await owner.query('vacuum analyze credited_movements');
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('[D13 G5] what badges ask of a member touches few blocks, however long the history', async () => {
  const plan = await planOf(pool, orgId, recordSql, [[orgId], [userId]]);
  expect(blocksOf(plan)).toBeLessThan(fewBuffers);
});

test('[D13] activities differ by their letters, not by their case', async () => {
  const [record] = await withSystem(pool, (tx) => recordsOf(tx, [{ orgId, userId }]));
  expect(record?.activities).toEqual(['walking', 'yoga', 'zumba']);
  expect(record?.figures).toMatchObject({ activities: 3, logs: 100 });
});
