import { globSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { goalNumbers } from '../caravan/commands/docs/pages/performance-page.ts';
import { requirements, rules } from '../caravan/commands/docs/pages/rules-page.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isForeign = (path: string) =>
  /(^|\/)(node_modules|dist|generated|coverage|\.caravan)(\/|$)|\.gen\.tsx?$/.test(path);

/**
 * A decision (D6), a requirement of security (S36), an invariant (I2), a fault (F06), a goal (G5), a statement of the
 * specification (7.17).
 */
const rule = /^(D\d{1,2}|S\d{2}|I\d{1,2}|F\d{2}|G\d{1,2}|[1-9]\.\d{1,3})$/;
const titles = /['"`]\[([A-Za-z0-9., -]{1,80})\] /g;
const comments = /(?:\/\/|\*|--|#)\s(.*)$/gm;
const inComments = /\b(D\d{1,2}|[SF]\d\d|[IG]\d{1,2})\b|\(([1-9]\.\d{1,3})\)/g;
/** What `check-invariants` says when one does not hold. */
const invariants = /['"`](I\d{1,2}) [a-z]/g;

const scenario = z.object({ proves: z.array(z.string()) });

/** The rules that a file cites: in titles of tests, in what a scenario proves, and in comments. */
function citedIn(path: string): string[] {
  const text = read(path);
  if (path.endsWith('.json')) return scenario.parse(JSON.parse(text)).proves;
  const inTitles = [...text.matchAll(titles)].flatMap(([, numbers = '']) => numbers.split(/[ ,]+/));
  const checked = [...text.matchAll(invariants)].map(([, number = '']) => number);
  const lines = [...text.matchAll(comments)].map(([, comment = '']) => comment);
  const told = lines.flatMap((line) => [...line.matchAll(inComments)].map(([, one, other]) => one ?? other ?? ''));
  return [...inTitles, ...checked, ...told].filter((number) => rule.test(number));
}

const sources = globSync(
  [
    '{libs,services,gateway,web,tools,e2e,bench}/**/*.{ts,tsx,mjs,sql,css,prisma}',
    'services/*/scenarios/*.json',
    '*.{ts,mjs,cjs}',
  ],
  { cwd: root, exclude: isForeign },
).filter((path) => !isForeign(path));
const cited = new Map(sources.map((path) => [path, new Set(citedIn(path))]));

const rows = Object.values(rules()).flatMap((group) =>
  Object.entries(group).map(([id, { decided, proven }]) => ({ id, decider: decided, proof: proven })),
);
const security = Object.keys(requirements());
const goals = goalNumbers();

test('every rule that code, tests and scenarios cite stands in rules.yml, security-requirements.yml or goals.yml', () => {
  const known = new Set([...rows.map(({ id }) => id), ...security, ...goals]);
  const unknown = [...cited].flatMap(([path, numbers]) =>
    [...numbers].filter((number) => !known.has(number)).map((number) => `${number} in ${path}`),
  );
  expect(cited.size).toBeGreaterThan(500);
  expect(unknown).toEqual([]);
});

test('a title of a test begins with rules and ADRs of this repository, or with none', () => {
  const isKnown = (number: string) =>
    rule.test(number) ||
    (/^ADR-\d{4}$/.test(number) && globSync(`docs/develop/adr/${number.slice(4)}-*.md`, { cwd: root }).length === 1);
  const specs = sources.filter((path) => /\.spec\.tsx?$/.test(path));
  const strange = specs.flatMap((path) =>
    [...read(path).matchAll(titles)]
      .flatMap(([, numbers = '']) => numbers.split(/[ ,]+/))
      .filter((number) => !isKnown(number))
      .map((number) => `${number} in ${path}`),
  );
  expect(strange).toEqual([]);
});

test('rules.yml holds no rule that nothing cites', () => {
  const all = new Set([...cited.values()].flatMap((numbers) => [...numbers]));
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index || !all.has(id))).toEqual([]);
});

test('the file that decides a rule exists, and the spec that proves it cites the rule', () => {
  expect(rows.filter(({ decider }) => !existsSync(join(root, decider)))).toEqual([]);
  expect(rows.filter(({ id, proof }) => !/\.spec\.tsx?$/.test(proof) || cited.get(proof)?.has(id) !== true)).toEqual(
    [],
  );
});
