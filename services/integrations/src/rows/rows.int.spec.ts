import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createPool } from '@caravan/event-store/postgres/connections';
import { onlyReading } from '@caravan/event-store/postgres/reading';
import { isAway } from '@caravan/kernel/problem';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTaken } from './database-error.ts';
import { Rows } from './prisma.client.ts';

const service = resolve(import.meta.dirname, '../..');
const libraries = resolve(service, '../../libs');
const folders = [`${libraries}/event-store/migrations`, `${libraries}/messaging/migrations`];

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let rows: Rows;
beforeAll(async () => {
  database = await createTestDatabase({ folders: [...folders, `${service}/prisma/migrations`] });
  pool = createPool(database.url, { max: 4 });
  rows = new Rows(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const accountOf = (orgId: string) => {
  const userId = randomUUID();
  const providerUserId = randomUUID();
  return { orgId, userId, provider: 'strava', providerUserId, connectedAt: new Date() };
};

test('[S18] a statement sees and writes the rows of the organisation that was named, however many run at once', async () => {
  const orgs = Array.from({ length: 20 }, () => randomUUID());
  await Promise.all(orgs.map((org) => rows.of(org).providerAccount.create({ data: accountOf(org) })));
  const seen = await Promise.all(orgs.map((org) => rows.of(org).providerAccount.findMany()));
  expect(seen.map((found) => found.map(({ orgId }) => orgId))).toEqual(orgs.map((org) => [org]));
  expect(await rows.ofEveryone().providerAccount.count({ where: { orgId: { in: orgs } } })).toBe(20);
  const [own = '', other = ''] = orgs;
  expect(await rows.of(own).providerAccount.deleteMany({ where: { orgId: other } })).toEqual({ count: 0 });
  const foreign = rows.of(own).providerAccount.create({ data: accountOf(other) });
  await expect(foreign).rejects.toMatchObject({ code: '42501' });
});

test('[S18] nothing is left of a name on the connection, and an organisation is named by its UUID', async () => {
  const org = randomUUID();
  await rows.of(org).providerAccount.create({ data: accountOf(org) });
  const left = await Promise.all(
    Array.from({ length: 8 }, () => pool.query<{ rows: number }>('select count(*) as rows from provider_accounts')),
  );
  expect(left.map((answer) => answer.rows)).toEqual(left.map(() => [{ rows: 0 }]));
  expect(() => rows.of("x', true)--")).toThrow('UUID');
});

test('[D48] steps that go together happen all or not at all', async () => {
  const org = randomUUID();
  const data = accountOf(randomUUID());
  const own = { ...data, orgId: org };
  const [created, count] = await rows.together(org, ({ providerAccount }) => [
    providerAccount.create({ data: own }),
    providerAccount.count(),
  ]);
  expect([created.providerUserId, count]).toEqual([own.providerUserId, 1]);
  const broken = rows.together(org, ({ providerAccount }) => [
    providerAccount.deleteMany(),
    providerAccount.create({ data }),
  ]);
  await expect(broken).rejects.toMatchObject({ code: '42501' });
  expect(await rows.of(org).providerAccount.count()).toBe(1);
});

test('a read writes nothing', async () => {
  const org = randomUUID();
  const write = onlyReading(() => rows.of(org).providerAccount.create({ data: accountOf(org) }));
  await expect(write).rejects.toMatchObject({ code: '25006' });
  expect(await onlyReading(() => rows.of(org).providerAccount.count())).toBe(0);
});

test('what the database says keeps its own codes: taken, and away', async () => {
  const org = randomUUID();
  const other = randomUUID();
  const first = accountOf(org);
  await rows.of(org).providerAccount.create({ data: first });
  const second = rows.of(other).providerAccount.create({
    data: { ...accountOf(other), providerUserId: first.providerUserId },
  });
  const failure = await second.catch((error: unknown) => error);
  expect([isTaken(failure), failure]).toEqual([true, expect.objectContaining({ code: '23505' })]);
  expect(String((failure as Error).stack)).not.toContain(first.providerUserId);
  const nowhere = createPool('postgres://nobody:x@127.0.0.1:1/nothing');
  const away = await new Rows(nowhere)
    .of(org)
    .providerAccount.count()
    .catch((error: unknown) => error);
  expect([isAway(away), isTaken(away)]).toEqual([true, false]);
  await nowhere.end();
});
