import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres';
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

test('[D13] what stood still under the groups of before waits under the one that took their place, in the order of its log', async () => {
  const migration = `${root}/services/scoring/prisma/migrations/20260105085000_social_badges_group/migration.sql`;
  const owner = createPatientPool(database.ownerUrl);
  await owner.query(
    `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, error_code, error_message)
     select name, 'social', $1, 'social.v1', 3, message_offset, 'message/bad-data', 'as it was'
     from (values ('scoring.award-voters', 9), ('scoring.award-cheerleaders', 9), ('scoring.award-cheerleaders', 7),
       ('scoring.know-members', 5)) as parked (name, message_offset)`,
    [userId],
  );
  await owner.query(`insert into msg.progress select name, 'social.v1', 3, 1, 10 from unnest($1::text[]) name`, [
    ['scoring.award-voters', 'scoring.award-cheerleaders', 'scoring.know-members'],
  ]);
  await owner.query(await readFile(migration, 'utf8'));
  const { rows } = await owner.query('select consumer_group, message_offset from msg.parked order by parked_id');
  const group = 'scoring.award-social-badges';
  expect(rows).toEqual([
    { consumer_group: 'scoring.know-members', message_offset: 5 },
    { consumer_group: group, message_offset: 7 },
    { consumer_group: group, message_offset: 9 },
  ]);
  const begun = await owner.query('select consumer_group from msg.progress');
  expect(begun.rows).toEqual([{ consumer_group: 'scoring.know-members' }]);
  await owner.end();
});
