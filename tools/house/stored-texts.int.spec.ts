import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { migrate } from '@caravan/event-store/migrate';
import { createTestDatabase, dropWithoutLook, type TestDatabase } from '@caravan/service-kit/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** The first migration that knows the rule of texts. */
const sinceRule = '20260112100000';
const foldersOf = (service: string) =>
  ['libs/event-store/migrations', 'libs/messaging/migrations', `services/${service}/prisma/migrations`].map((folder) =>
    join(root, folder),
  );

type Upgrade = {
  readonly database: TestDatabase;
  readonly owner: pg.Client;
  readonly upgrade: () => Promise<unknown>;
};
const open: Upgrade[] = [];
let early: string;

beforeAll(async () => {
  early = await mkdtemp(join(tmpdir(), 'before-texts-'));
});
afterAll(async () => {
  for (const { owner, database } of open) {
    await owner.end();
    await database.drop();
  }
  await rm(early, { recursive: true });
});

/** A database of a service as it was before the rule of texts. */
async function before(service: string): Promise<Upgrade> {
  dropWithoutLook('rows are written as the service of before wrote them');
  const database = await createTestDatabase({ folders: [] });
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const runtimeRole = new URL(database.url).username;
  const run = (folders: string[]) => migrate({ databaseUrl: database.ownerUrl, folders, runtimeRole });
  const folders = await Promise.all(
    foldersOf(service).map(async (folder, nth) => {
      const copy = join(early, service, String(nth));
      const isEarly = (path: string) =>
        path === folder || (/^\d{14}/.exec(path.slice(folder.length + 1))?.[0] ?? '') < sinceRule;
      await cp(folder, copy, { recursive: true, filter: isEarly });
      return copy;
    }),
  );
  await run(folders);
  await owner.query(`select set_config('app.org', 'system', false)`);
  const made = { database, owner, upgrade: () => run(foldersOf(service)) };
  open.push(made);
  return made;
}

const orgId = randomUUID();
const at = '2026-01-05T10:00:00Z';

describe('[D39] an upgrade from before the rule of texts', () => {
  test('mends names of people and teams, and tells teams apart whose names fall together', async () => {
    const { owner, upgrade } = await before('identity');
    await owner.query(
      `insert into organisations (org_id, name, time_zone, founded_at) values ($1, 'Acme', 'UTC', $2)`,
      [orgId, at],
    );
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    for (const [nth, name] of ['Zoe\u0308 \u202eabc', '\u3164', 'O’Neill'].entries())
      await owner.query(
        `insert into persons (org_id, user_id, name, email, time_zone, created_at) values ($1, $2, $3, 'a@b.c', 'UTC', $4)`,
        [orgId, ids[nth], name, at],
      );
    const names = ['Foxes', 'FOXES\u200b', 'Foxes\u00a0', 'Zoë’s', "zoë's", '\u2800', 'Owls'];
    for (const [nth, name] of names.entries())
      await owner.query('insert into teams (org_id, team_id, name, emoji, formed_at) values ($1, $2, $3, $4, $5)', [
        orgId,
        `00000000-0000-4000-8000-00000000000${nth}`,
        name,
        '🦊',
        at,
      ]);
    await upgrade();
    const people = await owner.query('select name, name_key as key from persons order by created_at, name');
    expect(people.rows).toEqual([
      { name: `Member ${ids[1].slice(-4)}`, key: `member ${ids[1].slice(-4)}` },
      { name: 'O’Neill', key: "o'neill" },
      { name: 'Zoë abc', key: 'zoe abc' },
    ]);
    const teams = await owner.query<{ name: string; nth: number }>(
      'select name, same_name as nth from teams order by team_id',
    );
    expect(teams.rows.map(({ name, nth }) => [name, nth])).toEqual([
      ['Foxes', 0],
      ['FOXES\u200b', 1],
      ['Foxes', 2],
      ['Zoë’s', 0],
      ["zoë's", 1],
      ['Team 0005', 0],
      ['Owls', 0],
    ]);
    const again = owner.query(
      `insert into teams (org_id, team_id, name, emoji, formed_at) values ($1, gen_random_uuid(), 'OWLS ', '🦉', $2)`,
      [orgId, at],
    );
    await expect(again).rejects.toThrow(/teams_one_key/);
  });

  test('adds up the uses of an activity that was written in two ways', async () => {
    const { owner, upgrade } = await before('activity');
    const userId = randomUUID();
    const uses = [
      ['Dad’s walk', 3],
      ["dad's walk", 4],
      ['Dad\u00a0s walk', 1],
      ['\u3164', 2],
    ] as const;
    for (const [nth, [name, count]] of uses.entries())
      await owner.query(
        `insert into frequent_activities (org_id, user_id, activity_name, usage_count, used_at)
         values ($1, $2, $3, $4, $5::timestamptz + $6 * interval '1 day')`,
        [orgId, userId, name, count, at, nth],
      );
    await owner.query(
      `insert into movement_texts (org_id, log_id, user_id, activity_type, caption, location)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'Cafe\u0301', E'one\u2028two\u202e', '\u200b')`,
      [orgId],
    );
    await upgrade();
    const { rows } = await owner.query<{ name: string; uses: number }>(
      'select activity_name as name, usage_count as uses from frequent_activities order by used_at',
    );
    expect(rows.map(({ name, uses: used }) => [name.replace(/ \w{4}$/, ''), used])).toEqual([
      ["dad's", 7],
      ['Dad\u00a0s', 1],
      ['Custom activity', 2],
    ]);
    const texts = await owner.query('select activity_type as activity, caption, location from movement_texts');
    expect(texts.rows).toEqual([{ activity: 'Café', caption: 'one\ntwo', location: null }]);
  });

  test('mends the names of teams in scoring as in identity', async () => {
    const { owner, upgrade } = await before('scoring');
    await owner.query(
      `insert into teams (org_id, team_id, name, emoji, formed_position)
       values ($1, '00000000-0000-4000-8000-000000000005', $2, '🦊', 1), ($1, gen_random_uuid(), $3, '🦉', 2)`,
      [orgId, '\u2800', 'A\u0308rger\u202e'],
    );
    await upgrade();
    const { rows } = await owner.query<{ name: string }>('select name from teams order by formed_position');
    expect(rows.map(({ name }) => name)).toEqual(['Team 0005', 'Ärger']);
  });

  test('mends comments piece by piece, and finds members without their marks', async () => {
    const { owner, upgrade } = await before('social');
    const content = ['Cafe\u0301\u2028', { member: randomUUID() }, ' "\u0301'];
    await owner.query(
      `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2, $3)`,
      [orgId, JSON.stringify(content), at],
    );
    await owner.query(
      `insert into members (org_id, user_id, team_id, name) values ($1, gen_random_uuid(), gen_random_uuid(), 'Łukasz Zoe\u0308')`,
      [orgId],
    );
    await upgrade();
    expect((await owner.query('select content from comments')).rows).toEqual([
      { content: ['Café\n', content[1], content[2]] },
    ]);
    expect((await owner.query('select name, search_key as key from members')).rows).toEqual([
      { name: 'Łukasz Zoë', key: 'lukasz zoe' },
    ]);
  });
});
