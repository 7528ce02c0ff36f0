import { resolve } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { onlyZone } from '@caravan/contracts/domain/time/organisation-zone';
import { createPatientPool, createPool, withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { createTestDatabase, dropWithoutLook } from '@caravan/service-kit/testing/database';
import { blocksOf, planOf } from '@caravan/service-kit/testing/executed-statements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyticsOf } from './analytics.ts';
import { daysBetweenMondays } from '../directory/index.ts';
import { countedOf, statements } from './analytics.query.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/scoring/prisma/migrations'];
const people = 2_000;
const weeks = 26;
const monday = '2026-03-23';
const first = addDays(monday, -7 * weeks);
const large = randomUUID();
const small = randomUUID();

let database: Awaited<ReturnType<typeof createTestDatabase>>;
dropWithoutLook('members and logs are put down as rows, without the messages behind them');
let pool: ReturnType<typeof createPool>;

/** Everybody moves in two weeks of three, twice. */
async function fill(orgId: string, size: number): Promise<void> {
  const run = (sql: string, values: unknown[]) => withSystem(pool, (tx) => tx.query(sql, values));
  await run(`insert into organisations (org_id, time_zone) values ($1, 'Europe/Berlin')`, [orgId]);
  await run(
    `insert into teams (org_id, team_id, name, emoji, formed_position, member_count)
     select $1, uuidv7(), 'Team ' || n, '⚡', n, $2 / 10 from generate_series(1, 10) n`,
    [orgId, size],
  );
  await run(
    `insert into members (org_id, user_id, team_id, name, joined_on, in_team_since)
     select $1, uuidv7(), (select team_id from teams where org_id = $1 and formed_position = 1 + n % 10), 'P', joined_on, joined_on
     from generate_series(1, $2::int) n, lateral (select $3::date - n % 300 as joined_on) j`,
    [orgId, size, first],
  );
  await run(
    `insert into team_memberships (org_id, user_id, team_id, since) select org_id, user_id, team_id, joined_on
     from members where org_id = $1`,
    [orgId],
  );
  const moves = `from members m cross join generate_series(0, ${weeks - 1}) w
    where m.org_id = $1 and (w + hashtext(m.user_id::text)) % 3 <> 0`;
  await run(
    `insert into member_weeks (org_id, user_id, week_starts_on, centimiles, reached_at, version)
     select $1, m.user_id, $2::date + 7 * w, 600, now(), 1 ${moves}`,
    [orgId, first],
  );
  await run(
    `insert into streak_runs (org_id, user_id, started_on, ended_on)
     select $1, m.user_id, $2::date + 7 * w + 1, $2::date + 7 * w + 2 from (select m.user_id, w ${moves}) m`,
    [orgId, first],
  );
  await run(
    `insert into credited_movements (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at)
     select $1, gen_random_uuid(), m.user_id, m.team_id, (array['Walking', 'Running', 'Yoga', 'Lunch lap'])[1 + w % 4], 300,
       ($2::date + 7 * w + d)::timestamp + interval '12 hours'
     from (select m.user_id, m.team_id, w ${moves}) m cross join generate_series(1, 2) d`,
    [orgId, first],
  );
}

beforeAll(async () => {
  database = await createTestDatabase({ folders: folders.map((folder) => `${root}/${folder}`) });
  pool = createPool(database.url);
  await fill(large, people);
  await fill(small, 20);
  const owner = createPatientPool(database.ownerUrl);
  for (const table of ['members', 'team_memberships', 'member_weeks', 'streak_runs', 'credited_movements', 'teams'])
    await owner.query(`vacuum analyze ${table}`);
  await owner.end();
}, 120_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const zones = onlyZone('Europe/Berlin');
const listsOf = (everyDays: 1 | 7) => {
  const { dates, starts } = daysBetweenMondays(zones, { from: first, until: monday, everyDays });
  return { starts, values: [dates, starts] };
};
const allDays = listsOf(1);
const mondays = listsOf(7);

const values = (orgId: string) => ({
  teamWeeksSql: [orgId, first, monday, ...mondays.values],
  changesSql: [orgId, first, monday, ...mondays.values],
  beginnersSql: [orgId, monday, addDays(monday, -364)],
  logsSql: [orgId, allDays.starts[0], allDays.starts.at(-1), ...allDays.values],
  teamsSql: [orgId, first, monday],
  challengesSql: [orgId, monday, ...mondays.values],
});

const blocksIn = async (orgId: string) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(statements).map(async ([name, text]) => [
        name,
        blocksOf(await planOf(pool, orgId, text, values(orgId)[name as keyof typeof statements])),
      ]),
    ),
  ) as Record<keyof typeof statements, number>;

test('[G5] the logs of a large organisation are summed out of an index, not looked up one by one', async () => {
  const plan = JSON.stringify(await planOf(pool, large, statements.logsSql, values(large).logsSql));
  expect(plan).toMatch(/Index Only Scan[^{}]*credited_movements_newest/);
  const logs = (people * weeks * 2 * 2) / 3;
  expect((await blocksIn(large)).logsSql).toBeLessThan(logs / 10);
});

test('[G5] what a small organisation asks touches few blocks beside a large one', async () => {
  for (const [name, blocks] of Object.entries(await blocksIn(small)))
    expect([name, blocks, blocks < 3_000]).toEqual([name, blocks, true]);
});

test('[G5] half a year of a large organisation touches fewer blocks than it has weeks of members', async () => {
  for (const [name, blocks] of Object.entries(await blocksIn(large)))
    expect([name, blocks, blocks < people * weeks]).toEqual([name, blocks, true]);
  const period = { monday, weeks };
  const told = analyticsOf(await withTenant(pool, large, (tx) => countedOf(tx, large, period, zones)), period);
  expect(told.participation).toHaveLength(weeks);
  expect(told.logs.total).toBeGreaterThan(people * weeks);
});
