import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standSql } from './notices.system.store.ts';
import { pageSql } from './notices.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const notices = 100;
/** A few for each notice; all posts of the organisation are more than 40,000 when each notice looks at them. */
const mostBlocks = 20 * notices;
const orgId = randomUUID();
const userId = randomUUID();
const teamId = randomUUID();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/social/prisma/migrations'];
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
  await withSystem(pool, async (tx) => {
    await tx.query(
      `insert into members (org_id, user_id, team_id, name, joined_on)
       select $1, case when n = 1 then $2 else uuidv7() end, $3, 'Maya', '2026-01-01' from generate_series(1, 2000) n`,
      [orgId, userId, teamId],
    );
    await tx.query(
      `insert into teams (org_id, team_id, name, emoji, formed_position)
       select $1, case when n = 1 then $2 else uuidv7() end, 'Dunes', '🐪', n from generate_series(1, 2000) n`,
      [orgId, teamId],
    );
    await tx.query(
      `insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, created_at)
       select $1, uuidv7(), $2, $3, 'Walking', 30, 300, 'timer', now() from generate_series(1, 20000)`,
      [orgId, userId, teamId],
    );
    await tx.query(
      `insert into checkpoint_entries
       select $1, uuidv7(), uuidv7(), $2, 'Stop', 'Route', 5, false, now() from generate_series(1, 20000)`,
      [orgId, teamId],
    );
    await tx.query(
      `with given as (
         insert into notices (org_id, notice_id, user_id, kind, subject, raised_at)
         select $1, uuidv7(), $2, kind, case kind when 'recap-ready' then n::text else $3::text end, now()
         from (select n, (array['recap-ready', 'team-changed', 'checkpoint'])[1 + n % 3] as kind
           from generate_series(1, ${notices}) n) k
         on conflict do nothing returning notice_id)
       insert into notice_items (org_id, item_id, notice_id, facts, happened_at)
       select $1, uuidv7(), notice_id, jsonb_build_object('teamId', $3::text, 'entryId', uuidv7()), now() from given`,
      [orgId, userId, teamId],
    );
  });
  const owner = createPatientPool(database.ownerUrl);
  await owner.query('vacuum analyze');
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const blocksTouched = async (sql: string, values: readonly unknown[]) =>
  blocksOf(await planOf(pool, orgId, sql, values));
const noticeIds = async () => {
  const { rows } = await withSystem(pool, (tx) => tx.query<{ id: string }>('select notice_id as id from notices'));
  return rows.map(({ id }) => id);
};

test('[G5] the bell, and what is told of notices, touch a few blocks for each notice, however much an organisation did', async () => {
  const ids = await noticeIds();
  const newest = [orgId, userId, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 50];
  expect(await blocksTouched(pageSql, newest)).toBeLessThan(mostBlocks);
  expect(await blocksTouched(standSql, [ids.map(() => orgId), ids])).toBeLessThan(mostBlocks);
});
