import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createPool, withSystem } from '@caravan/event-store/postgres';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import type { PlanNode } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageSqlOf } from './feed.query.ts';
import type { FeedScope } from './feed.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const [orgId, userId, teamId] = [randomUUID(), randomUUID(), randomUUID()];
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/social/prisma/migrations'];
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
  await withSystem(pool, async (tx) => {
    await tx.query(`insert into members values ($1, $2, $3, 'Maya')`, [orgId, userId, teamId]);
    // A hundred colleagues who hide what they do, as many who are not known yet, and one post of each after the last of the person's own.
    await tx.query(
      `with hiding as (
         insert into members (org_id, user_id, team_id, name, activity_visible)
         select $1, uuidv7(), $2, 'Hidden', false from generate_series(1, 100) returning user_id
       ), unknown as (select uuidv7() as user_id from generate_series(1, 100))
       insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, created_at)
       select $1, uuidv7(), user_id, $2, 'Walking', 30, 300, 'timer', timestamptz '2026-02-01' from (table hiding union all table unknown) authors`,
      [orgId, teamId],
    );
    // Half of the posts of the person's organisation, the other half of others, mixed in time.
    await tx.query(
      `insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, created_at)
       select case when n % 2 = 0 then $1::uuid else uuidv7() end, uuidv7(), $2, $3, 'Walking', 30, 300, 'timer',
         timestamptz '2026-01-01' + n * interval '1 second' from generate_series(1, 40000) n`,
      [orgId, userId, teamId],
    );
  });
  const owner = createPool(database.ownerUrl);
  await owner.query('vacuum analyze posts');
  await owner.query('vacuum analyze members');
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Buffers that PostgreSQL touched in the posts for one page. */
async function buffersOf(scope: FeedScope, before: string): Promise<number> {
  const lowest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const values = [orgId, userId, before, lowest, 11];
  const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  const found = nodes(await planOf(pool, orgId, pageSqlOf(scope), values));
  const posts = found.find((node) => node['Relation Name'] === 'posts');
  return posts ? blocksOf(posts) : Infinity;
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
