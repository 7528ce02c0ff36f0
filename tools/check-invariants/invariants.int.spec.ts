import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import type { TestDatabase } from '@caravan/service-kit/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { broken } from './invariants.ts';

dropWithoutLook('its rows are made wrong, to be found');
const root = resolve(import.meta.dirname, '../..');
let scoring: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
  scoring = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  client = new pg.Client({ connectionString: scoring.url, options: '-c app.org=system' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await scoring.drop();
});

const [orgId, userId] = [randomUUID(), randomUUID()];

test('[I2 D9] a total that no entry explains is told, of one service alone as well', async () => {
  expect(await broken({ scoring: scoring.url })).toEqual([]);
  await client.query(
    `insert into member_totals (org_id, user_id, centimiles, reached_at, version) values ($1, $2, 300, now(), 1)`,
    [orgId, userId],
  );
  expect(await broken({ scoring: scoring.url })).toEqual([
    `I2 a member total is the sum of its entries: ${orgId}/${userId} is 300, should be 0`,
  ]);
});

test('[I4] a badge that nobody was awarded is told', async () => {
  await client.query(
    `insert into member_badges (org_id, user_id, badge_id, earned_at) values ($1, $2, 'mile-1', now())`,
    [orgId, userId],
  );
  expect(await broken({ scoring: scoring.url })).toContain(
    `I4 a badge is earned once: ${orgId}/${userId}/mile-1 is 1, should be 0`,
  );
});
