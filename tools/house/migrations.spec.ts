import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { baseline } from '@caravan/event-store/postgres/migrate';
import { describe, expect, test } from 'vitest';
import { adviceOf, type MigrationRule, offencesOf } from './migrations.ts';

const root = join(import.meta.dirname, '../..');
const folders = ['libs/event-store/migrations', 'libs/messaging/migrations', 'services/*/prisma/migrations'];
const files = globSync(
  folders.map((folder) => `${folder}/*/migration.sql`),
  { cwd: root },
);
const nameOf = (file: string) => basename(dirname(file));
/** `identity/20260101001000_accounts`: two services may have a migration of one name. */
const titleOf = (file: string) => `${file.split('/')[1]}/${nameOf(file)}`;

/** What each migration does to the tables of those before it: of its own service and of the libraries. */
function offences(): { title: string; rule: MigrationRule; statement: string }[] {
  const shared = files.filter((file) => file.startsWith('libs/'));
  const homes = Map.groupBy(files, (file) => dirname(dirname(file)));
  return [...homes].flatMap(([home, own]) => {
    let tables: ReadonlySet<string> = new Set();
    const before = home.startsWith('libs/') ? [] : shared;
    return [...before, ...own]
      .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
      .flatMap((file) => {
        const told = offencesOf(readFileSync(join(root, file), 'utf8'), tables);
        tables = told.tables;
        return own.includes(file) ? told.offences.map((offence) => ({ title: titleOf(file), ...offence })) : [];
      });
  });
}

test('[F18] a migration leaves what the release before reads and writes as it was, and shuts nobody out for long', () => {
  const told = offences().map(({ title, rule, statement }) => `${title} ${rule}: ${statement}\n  ${adviceOf(rule)}`);
  expect(told).toEqual([]);
});

test('[ADR-0070] the first migration of each folder is its baseline', () => {
  const homes = Map.groupBy(files, (file) => dirname(dirname(file)));
  const firsts = [...homes.values()].map((own) => own.map(nameOf).toSorted()[0] ?? '');
  expect(firsts.filter((name) => !name.startsWith(baseline) || !name.endsWith('_baseline'))).toEqual([]);
});

test('a database records each of its migrations under a name of its own', () => {
  const [shared, own] = [true, false].map((isShared) => files.filter((file) => file.startsWith('libs/') === isShared));
  for (const ofService of Map.groupBy(own ?? [], (file) => file.split('/')[1]).values()) {
    const names = [...(shared ?? []), ...ofService].map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  }
});

test('an index that is made beside writers has a migration to itself, and drops first what an attempt has left', () => {
  for (const file of files) {
    const sql = readFileSync(join(root, file), 'utf8').replaceAll(/--[^\n]*/g, '');
    if (!/\bconcurrently\b/i.test(sql)) continue;
    const statements = sql.split(';').filter((statement) => statement.trim() !== '');
    const alone = statements.every((statement) =>
      /^\s*(create|drop)\s+(unique\s+)?index\s+concurrently\b/i.test(statement),
    );
    expect([file, alone, /drop\s+index\s+concurrently\s+if\s+exists/i.test(sql)]).toEqual([file, true, true]);
  }
});

const before = new Set(['logs', 'es.events']);
const rulesOf = (sql: string) => offencesOf(sql, before).offences.map(({ rule }) => rule);

describe('of a table that was there, a migration', () => {
  test.each<[MigrationRule, string]>([
    ['drops what is read', 'drop table logs'],
    ['drops what is read', 'alter table logs add column a text, drop column miles'],
    ['drops what is read', 'drop function es.publish(uuid)'],
    ['renames', 'alter table logs rename to movements'],
    ['renames', 'alter table logs rename column miles to distance'],
    ['changes a type', 'alter table logs alter column miles type bigint'],
    ['demands a value', 'alter table logs add column source text not null'],
    ['demands a value', 'alter table logs alter column source set not null'],
    ['demands a value', 'alter table logs alter column source drop default'],
    ['demands of old rows', `alter table logs add constraint c check (source in ('a', 'b'))`],
    ['demands of old rows', 'alter table logs add primary key (a, b)'],
    ['drops a constraint', 'alter table logs drop constraint logs_pkey'],
    ['shuts out writers', 'create unique index logs_once on logs (a)'],
    ['writes old rows', `update logs set source = 'manual'`],
    ['writes old rows', 'with gone as (delete from logs returning *) select 1'],
    ['rewrites a table', 'alter table logs add column id uuid not null default gen_random_uuid()'],
  ])('%s with: %s', (rule, sql) => {
    expect(rulesOf(sql)).toEqual([rule]);
  });

  test.each([
    `alter table logs add column source text not null default 'manual', add column note text`,
    'alter table logs add constraint c check (a > 0) not valid; create index concurrently logs_by on logs (a)',
    'create table photos (id uuid not null); create index photos_by on photos (id); alter table photos add unique (id)',
    'drop index logs_by; alter index logs_old rename to logs_by; alter table logs alter column note drop not null',
    `create or replace function f() returns void language sql as $$ update logs set a = 1; drop table logs $$`,
    "-- drop table logs\ncomment on table logs is 'rename column; drop table logs'",
  ])('does no harm with: %s', (sql) => {
    expect(rulesOf(sql)).toEqual([]);
  });
});
