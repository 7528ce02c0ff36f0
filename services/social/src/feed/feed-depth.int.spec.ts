import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPatientPool, createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import type { PlanNode } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activitiesSqlOf } from './activity-feed.query.ts';
import { pageSqlOf, photosSql } from './feed.query.ts';
import { differsForSql, type FeedScope } from './shared-feed.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
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
      `insert into members (org_id, user_id, team_id, name, joined_on) values ($1, $2, $3, 'Maya', '2026-01-01')`,
      [orgId, userId, teamId],
    );
    // A hundred colleagues who hide what they do, as many who are not known yet, and one post of each after the last of the person's own.
    await tx.query(
      `with hiding as (
         insert into members (org_id, user_id, team_id, name, joined_on, activity_visible)
         select $1, uuidv7(), $2, 'Hidden', '2026-01-01', false from generate_series(1, 100) returning user_id
       ), unknown as (select uuidv7() as user_id from generate_series(1, 100))
       insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, created_at)
       select $1, uuidv7(), user_id, $2, 'Walking', 30, 300, 'timer', timestamptz '2026-02-01' from (table hiding union all table unknown) authors`,
      [orgId, teamId],
    );
    // Half of the posts of the person's organisation, the other half of others, mixed in time; one in a hundred with a photo.
    await tx.query(
      `insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source,
         created_at, photo_path)
       select case when n % 2 = 0 then $1::uuid else uuidv7() end, uuidv7(), $2, $3, 'Walking', 30, 300, 'timer',
         timestamptz '2026-01-01' + n * interval '1 second', case when n % 200 < 2 then '/objects/photos/one' end
         from generate_series(1, 40000) n`,
      [orgId, userId, teamId],
    );
  });
  await withSystem(pool, (tx) =>
    tx.query(
      `insert into checkpoint_entries
       select $1, uuidv7(), uuidv7(), $2, 'Stop', 'Route', 5, false, timestamptz '2026-01-01' + n * interval '1 second'
       from generate_series(1, 40000) n`,
      [orgId, teamId],
    ),
  );
  await withSystem(pool, (tx) =>
    tx.query(
      `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at)
       select $1, uuidv7(), log_id, $2, '["Well done"]', now() from (
         select log_id, row_number() over (order by created_at desc) as nth from posts where org_id = $1
           and created_at < '2026-02-01') p, generate_series(1, case when nth = 1 then 5000 else 2 end)`,
      [orgId, userId],
    ),
  );
  const owner = createPatientPool(database.ownerUrl);
  await owner.query('vacuum analyze posts');
  await owner.query('vacuum analyze members');
  await owner.query('vacuum analyze comments');
  await owner.query('vacuum analyze checkpoint_entries');
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Where = { readonly table: string; readonly sqlOf: typeof pageSqlOf };
const inPosts: Where = { table: 'posts', sqlOf: pageSqlOf };

/** Buffers that PostgreSQL touched in a table for one page. */
async function buffersOf(scope: FeedScope, before: string, where = inPosts): Promise<number> {
  const node = await nodeOf(scope, before, where);
  return node ? blocksOf(node) : Infinity;
}

async function nodeOf(scope: FeedScope, before: string, { table, sqlOf }: Where): Promise<PlanNode | undefined> {
  const lowest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const values = [orgId, userId, before, lowest, 11];
  const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  const found = nodes(await planOf(pool, orgId, sqlOf(scope), values));
  return found.find((one) => one['Relation Name'] === table);
}

test.each(['all', 'team', 'mine'] as const)(
  '[G6 D18] the feed of %s skips hidden posts at the cost of reading them, not of sorting the rest',
  async (scope) => {
    expect(await buffersOf(scope, '2026-02-02T00:00:00Z')).toBeLessThanOrEqual(220);
  },
);

test.each(['all', 'team', 'mine'] as const)(
  '[G6] page 1,500 of the feed of %s touches no more posts than page 1',
  async (scope) => {
    const first = await buffersOf(scope, '2026-01-31T00:00:00Z');
    const deep = await buffersOf(scope, '2026-01-01T01:30:00Z');
    expect(first).toBeLessThanOrEqual(20);
    expect(deep).toBeLessThanOrEqual(20);
  },
);

test.each([
  ['all', 'posts'],
  ['all', 'checkpoint_entries'],
  ['team', 'posts'],
  ['team', 'checkpoint_entries'],
  ['mine', 'posts'],
] as const)('[G6 D33] page 1,500 of the activities of %s touches no more %s than page 1', async (scope, table) => {
  const first = await buffersOf(scope, '2026-01-31T00:00:00Z', { table, sqlOf: activitiesSqlOf });
  const deep = await buffersOf(scope, '2026-01-01T01:30:00Z', { table, sqlOf: activitiesSqlOf });
  expect(first).toBeLessThanOrEqual(25);
  expect(deep).toBeLessThanOrEqual(25);
});

test.each([pageSqlOf, activitiesSqlOf])(
  '[G6 D50] comments are counted for the posts of the page alone, out of one index',
  async (sqlOf) => {
    const node = await nodeOf('all', '2026-01-31T00:00:00Z', { table: 'comments', sqlOf });
    expect(node).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': 'comments_of_entry' });
    // Two below each post, 5,000 below the newest.
    expect(node ? blocksOf(node) : Infinity).toBeLessThanOrEqual(120);
  },
);

test('[G6] whose first page is another one is asked of its stretch of posts alone', async () => {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ id: string; at: Date }>(
      `select log_id as id, created_at as at from posts where org_id = $1 and user_id = $2 order by 2 desc, 1 desc limit 11`,
      [orgId, userId],
    ),
  );
  const oldest = rows.at(-1);
  const values = [orgId, oldest?.at, oldest?.id, rows.map(({ id }) => id)];
  const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  const all = nodes(await planOf(pool, orgId, differsForSql, values));
  const posts = all.find((one) => one['Relation Name'] === 'posts');
  expect(posts).toMatchObject({ 'Index Name': 'posts_of_all' });
  // 200 hidden ones lie above.
  expect(posts ? blocksOf(posts) : Infinity).toBeLessThanOrEqual(240);
  const comments = all.find((one) => one['Relation Name'] === 'comments');
  expect(comments).toMatchObject({ 'Index Name': 'comments_of_entry' });
});

test('[G6 2.107] a page of somebody’s photos costs those photos, however many posts lie between them, and however deep', async () => {
  for (const before of ['2026-01-31T00:00:00Z', '2026-01-01T01:30:00Z']) {
    const values = [orgId, userId, before, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 25, userId];
    const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const node = nodes(await planOf(pool, orgId, photosSql, values)).find((one) => one['Relation Name'] === 'posts');
    expect(node).toMatchObject({ 'Index Name': 'posts_with_photo' });
    expect(node ? blocksOf(node) : Infinity).toBeLessThanOrEqual(60);
  }
});
