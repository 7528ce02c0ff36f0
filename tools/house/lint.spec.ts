import { join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, expect, test } from 'vitest';

/** A service that nobody has: the rules about rooms are proven whoever moves. */
const example: Linter.Config = {
  files: ['services/example/src/**/*.ts'],
  rules: Object.fromEntries(
    ['house/in-rooms', 'house/suffix-tells-truth', 'house/public-events-apart'].map(
      (rule): [string, Linter.RuleEntry] => [rule, ['error', { rooms: { example: ['feed'] } }]],
    ),
  ),
};

/** The repository's own configuration without the rules that need a program: the files below do not exist. */
const eslint = new ESLint({
  cwd: join(import.meta.dirname, '../..'),
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { projectService: false } } },
    example,
  ],
});

const complaints = async (path: string, code: string) => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId ?? 'parser'}: ${message}`);
};

const pure = 'services/activity/src/logging/miles.ts';
const purePage = 'web/src/features/timer/clock.ts';

// Loading the rules takes a second, more on a busy machine.
beforeAll(() => complaints(pure, ''), 60_000);

test.each([
  ['async functions', 'export const later = async () => 1;'],
  ['the clock', 'export const now = () => new Date();'],
  ['the clock', 'export const now = () => Date.now();'],
  ['chance', 'export const dice = () => Math.random();'],
  ['the network', "export const call = () => fetch('/');"],
  ['timers', 'export const wait = () => setTimeout(() => 1, 1);'],
  ['the process', 'export const id = () => process.pid;'],
])('a file without a suffix may not reach for %s: %s', async (_what, code) => {
  expect(await complaints(pure, code)).toHaveLength(1);
  expect(await complaints(purePage, code)).toHaveLength(1);
});

test('a file with a suffix, an api.ts, a hook and a component may reach outside', async () => {
  const code = "export const call = async () => [await fetch('/'), new Date()];";
  const outside = ['services/activity/src/logging/import.client.ts', 'web/src/features/timer/api.ts'];
  for (const path of [...outside, 'web/src/features/timer/use-timer.ts', 'web/src/features/timer/ring.tsx']) {
    expect(await complaints(path, code)).toEqual([]);
  }
});

test('a date given as an argument is no clock', async () => {
  expect(await complaints(pure, 'export const at = (iso: string) => new Date(iso);')).toEqual([]);
});

const long = Array.from({ length: 300 }, () => '  1,').join('\n');
const busy = Array.from({ length: 50 }, () => '  Math.abs(1);').join('\n');
const guard =
  "import { Injectable } from '@nestjs/common';\n@Injectable()\nexport class A {\n  constructor(readonly b: string) {}\n}";
const quotedName = 'export const sql = (from: string) => `select a as "NAME" from ${from}`;'.replace('NAME', 'userId');
const skipped = "import { test } from 'vitest';\ntest.skip('later');";

test.each([
  ['an enum', pure, 'export enum Kind { a }', 'no-restricted-syntax'],
  ['a default export', pure, 'export default 1;', 'no-restricted-syntax'],
  ['a …Dto', pure, 'export type LogDto = { id: string };', 'no-restricted-syntax'],
  ['any', pure, 'export const it = (value: any) => String(value);', '@typescript-eslint/no-explicit-any'],
  ['a non-null !', pure, 'export const it = (value?: string) => value!;', '@typescript-eslint/no-non-null-assertion'],
  ['process.env', 'libs/auth/keys.ts', 'export const it = process.env.KEY;', 'no-restricted-syntax'],
  ['301 lines', 'libs/auth/keys.ts', `export const it = [\n${long}\n];`, 'max-lines'],
  ['a function of 51 lines', 'libs/auth/keys.ts', `export function it() {\n${busy}\n}`, 'max-lines-per-function'],
  [
    'five parameters',
    'libs/auth/keys.ts',
    'export const it = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];',
    'max-params',
  ],
  ['a column named as code names it', 'libs/auth/keys.ts', quotedName, 'no-restricted-syntax'],
  ['a skipped test', 'libs/auth/keys.spec.ts', skipped, 'no-restricted-syntax'],
  ['a spread of a literal', pure, 'export const it = (a: object) => ({ ...{ b: 1 }, ...a });', 'no-restricted-syntax'],
  ['a spread of a literal', 'infra/it.cjs', 'module.exports = { ...{ b: 1 } };', 'no-restricted-syntax'],
  ['a spread of a literal', 'tools/house/it.mjs', 'export const it = [...[1, 2]];', 'no-restricted-syntax'],
  [
    'a chain of ternaries',
    pure,
    'export const it = (a: number) => (a < 1 ? 1 : a < 2 ? 2 : 3);',
    'no-restricted-syntax',
  ],
  [
    'a chain of ternaries',
    pure,
    'export const it = (a: number) => (a > 1 ? (a > 2 ? 3 : 2) : 1);',
    'no-restricted-syntax',
  ],
  ['an array taken apart at once', pure, 'export const [one, two] = [1, 2];', 'no-restricted-syntax'],
  ['an array taken apart at once', pure, 'export const [one, two] = [1, 2] as const;', 'no-restricted-syntax'],
  ['a function named by a participle', pure, 'export const logged = () => 1;', 'house/no-bare-participles'],
  ['a function named by a participle', pure, 'export function chosen() {}', 'house/no-bare-participles'],
  [
    'a method named by a participle',
    pure,
    'export class It {\n  told() {}\n  kept = 1;\n}',
    'house/no-bare-participles',
  ],
  ['a method named by a participle', pure, 'export type It = { seen(): void };', 'house/no-bare-participles'],
  ['an injection without a token', 'libs/auth/a.guard.ts', guard, 'no-restricted-syntax'],
])('lint refuses %s', async (_what, path, code, rule) => {
  expect((await complaints(path, code)).map((line) => line.split(':')[0])).toEqual([rule]);
});

test.each([
  ['a value named by a participle', 'export const logged = [1];'],
  ['a verb that ends like a participle', 'export const feed = () => 1;'],
  [
    'answers of several calls',
    'export const it = async () => {\n  const [a, b] = await Promise.all([x(), y()]);\n  return a + b;\n};',
  ],
  ['variables without a value yet', 'let [a, b]: number[] = [];\nexport const it = () => a ?? b;'],
])('lint lets %s be', async (_what, code) => {
  expect((await complaints('libs/auth/keys.ts', code)).filter((line) => !line.includes('prefer-const'))).toEqual([]);
});

const schemas = '@caravan/contracts/http/badges';
test.each([
  ['a schema', `import { badgeSchema } from '${schemas}';\nexport const it = badgeSchema;`],
  ['a constant beside schemas', `import { kinds, type Badge } from '${schemas}';\nexport const it: Badge = kinds;`],
  [
    'what stands on schemas',
    "import { nameSchema } from '@caravan/contracts/events/fields';\nexport const it = nameSchema;",
  ],
  ['what stands on schemas', "export * from '@caravan/contracts/events/identity.events';"],
  ['zod', "import { z } from 'zod';\nexport const it = z;"],
])('[S36] a page may not carry %s: %s', async (_what, code) => {
  const [complaint] = await complaints('web/src/lib/words.ts', code);
  expect(complaint).toMatch(/^@typescript-eslint\/no-restricted-imports: .*A page carries no schemas/);
});

test('[S36] a page may use the types of schemas, and constants that lie apart', async () => {
  const code = `import type { Badge } from '${schemas}';
import { badgeCategories } from '@caravan/contracts/domain/choices';
export const it: Badge = badgeCategories;`;
  expect(await complaints('web/src/lib/words.ts', code)).toEqual([]);
});

const read = "export const rows = 'select name from posts for update';";
const described = "export const posts = table('posts', key, columns);";
const write = 'export const sql = (table: string) => `insert into ${table} (a) values ($1)`;';
const system = "import { withSystem } from '@caravan/event-store/postgres/connections';\nexport const it = withSystem;";
const everyone = 'export const it = (rows: Rows) => rows.ofEveryone().post.findMany({});';
const published = "export const it = { type: 'PostWritten', version: 1, data: {} };";
const stream = "import type { StreamKind } from '@caravan/event-store/core/event-store';\nexport type It = StreamKind;";
const store = "import { EventStore } from '@caravan/event-store/core/event-store';\nexport const it = EventStore;";
const parts = "import { a } from './a.ts';\nimport { b } from './b.ts';\n";
const service = 'export class C {\n  constructor(readonly pool: string) {}\n  it = [a, b];\n}';
const cache =
  "import { a } from './a.ts';\nexport class C {\n  kept = new Map([[a, a]]);\n  constructor(readonly pool: string) {}\n}";

test.each([
  ['loose.query.ts', read, 'Only what puts the rooms together lies in src itself (tools/house/rooms.ts)'],
  ['loose.int.spec.ts', read, 'Only what puts the rooms together lies in src itself (tools/house/rooms.ts)'],
  ['attic/posts.query.ts', read, "The room 'attic' has no place in the order"],
  ['feed/feed.module.ts', read, 'One Nest module per service'],
  [
    'feed/feed.client.ts',
    "import { Module } from '@nestjs/common';\n@Module({})\nexport class F {}",
    'One Nest module',
  ],
  ['feed/post-when-logged.consumer.ts', read, 'One consumer file per source and purpose'],
  ['feed/posts.query.ts', write, 'A .query only reads'],
  ['feed/posts.query.ts', "export const sql = 'update posts p set name = $1';", 'A .query only reads'],
  ['feed/posts.query.ts', "export const sql = 'update posts set name = $1';", 'A .query only reads'],
  ['feed/posts.query.ts', 'export const it = (unit: Unit) => unit.handle(1);', 'A .query only reads'],
  ['feed/posts.query.ts', 'export const it = (rows: Rows) => rows.post.deleteMany();', 'A .query only reads'],
  ['feed/posts.query.ts', `${read}\nexport class Posts {\n  readonly at = 1;\n}`, 'A .query holds functions'],
  ['feed/posts.system.query.ts', `${system}\nexport class Posts {\n  readonly at = 1;\n}`, 'A .query holds functions'],
  ['feed/posts.store.ts', read, 'A .store writes rows'],
  ['feed/posts.store.ts', `${write}\nexport class Posts {\n  readonly at = 1;\n}`, 'A .store holds functions'],
  ['feed/posts.consumer.ts', write, 'What writes rows stands in the .store or .projection'],
  ['feed/posts.job.ts', described, 'What writes rows stands in the .store or .projection'],
  ['feed/posts.store.ts', `${system}\n${write}`, 'Only a .system.store or .system.query looks beyond one organisation'],
  ['feed/posts.job.ts', system, 'Only a .system.store or .system.query looks beyond one organisation'],
  ['feed/posts.job.ts', everyone, 'Only a .system.store or .system.query looks beyond one organisation'],
  ['feed/posts.system.store.ts', write, 'A .system file looks beyond one organisation'],
  ['feed/posts.system.store.ts', `${system}\n${read}`, 'A .store writes rows'],
  ['feed/posts.system.query.ts', `${system}\n${write}`, 'A .query only reads'],
  ['feed/posts.job.ts', "export const sql = 'truncate posts';", 'What writes rows stands in the .store'],
  ['feed/public-events.ts', write, 'What writes rows stands in the .store'],
  ['app.module.ts', "export const sql = 'delete from posts';", 'What writes rows stands in the .store'],
  ['feed/posts.job.ts', 'export const it = (rows: Rows) => rows.post.upsert({});', 'What writes rows stands in'],
  ['feed/posts.job.ts', 'export const it = (rows: Rows) => rows.of(1).post.update({});', 'What writes rows stands in'],
  ['feed/posts.job.ts', 'export const it = (rows: Rows) => rows.together(1, ask);', 'What writes rows stands in'],
  [
    'feed/posts.service.ts',
    `${parts}${service}\nexport const sql = 'delete from posts';`,
    'What writes rows stands in',
  ],
  ['feed/posts.store.ts', 'export const it = (rows: Rows) => rows.post.findMany();', 'A .store writes rows'],
  ['feed/posts.client.ts', store, 'A .client speaks to something outside'],
  ['feed/posts.job.ts', published, 'An event for others is built in the public-events.ts'],
  [
    'feed/posts.job.ts',
    "import { auditedAct } from '@caravan/service-kit/telemetry/audited';\nexport const it = auditedAct;",
    'An event for others is built',
  ],
  ['feed/public-events.ts', stream, 'Streams and projections have files of their own'],
  ['feed/posts.service.ts', "import { a } from './a.ts';\nexport const it = a;", 'A .service carries a use case'],
])('lint refuses services/example/src/%s: %s', async (path, code, message) => {
  const found = await complaints(`services/example/src/${path}`, code);
  expect(found.map((line) => line.replace(/^house\/[a-z-]+: /, '').slice(0, message.length))).toEqual([message]);
});

test.each([
  ['ports.ts', 'export const Told = Symbol();'],
  ['main.int.spec.ts', read],
  ['testing/seeded.ts', write],
  ['feed/posts.query.ts', read],
  ['feed/posts.query.ts', `${read}\nexport class Unreadable extends Error {}`],
  ['feed/posts.store.ts', write],
  ['feed/posts.store.ts', described],
  ['feed/posts.store.ts', `${write}\nexport class Overtaken extends Error {}`],
  ['feed/posts.store.ts', 'export const it = (rows: Rows) => rows.post.updateMany({});'],
  ['feed/posts.projection.ts', write],
  ['feed/posts.system.store.ts', `${system}\n${write}`],
  ['feed/posts.system.query.ts', `${system}\n${read}`],
  ['feed/posts.system.query.ts', everyone],
  ['app.module.ts', system],
  ['feed/posts.int.spec.ts', write],
  ['feed/posts.job.ts', 'export const it = (days: Map<string, string>) => days.delete(read);'],
  ['feed/public-events.ts', published],
  ['feed/post.ts', "export const it = { type: 'PostWritten', data: {} };"],
  ['feed/posts.client.ts', store.replace('import {', 'import type {').replace('const it =', 'type It = typeof')],
  [
    'feed/posts.client.ts',
    `import { Redis } from '@caravan/service-kit/storage/redis';\n${store}\nexport const that = Redis;`,
  ],
  ['feed/posts.service.ts', `${parts}${service}`],
  ['feed/posts.service.ts', cache],
  ['app.module.ts', "import { Module } from '@nestjs/common';\n@Module({})\nexport class AppModule {}"],
])('lint lets services/example/src/%s be', async (path, code) => {
  expect(await complaints(`services/example/src/${path}`, code)).toEqual([]);
});
