import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { sections } from '../../docs/.vitepress/sections.ts';
import { boldNames, deadLinks, documents, longCells, wordsIn } from '../caravan/commands/docs/documents.ts';
import { generatedPages, stalePages } from '../caravan/commands/docs/generated.ts';
import { decisions, topics } from '../caravan/commands/docs/pages/adr-index.ts';
import { citedNumbers } from '../caravan/commands/docs/redirects.ts';

const root = join(import.meta.dirname, '../..');
const all = documents();
const guides = all.filter(({ path }) => path.startsWith('docs/guide/'));

const wordBudget = 35_000;
const longestCell = 120;

test('hand-written documents together have at most 35,000 words', () => {
  const words = all.reduce((sum, document) => sum + wordsIn(document), 0);
  expect(words).toBeGreaterThan(10_000);
  expect(words).toBeLessThanOrEqual(wordBudget);
});

test('a cell of a table has at most 120 characters', () => {
  expect(
    all.flatMap((document) => longCells(document, longestCell).map((cell) => `${document.path}: ${cell}`)),
  ).toEqual([]);
});

test('every relative link of a document leads to a file and heading that exist', () => {
  expect(all.flatMap((document) => deadLinks(document).map((link) => `${document.path}: ${link}`))).toEqual([]);
});

test('every page of the site is in a sidebar, and every entry of a sidebar is a page', () => {
  const entries = sections.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages)).toSorted();
  const pages = globSync('**/*.md', { cwd: join(root, 'docs') }).map((page) => page.slice(0, -'.md'.length));
  expect(entries).toEqual(pages.filter((page) => page !== 'index').toSorted());
});

// `./caravan check` compares the large pages too.
const compared = ['docs/develop/adr/index.md', 'docs/reference/commands.md', 'docs/reference/performance.md'];

test('the index of decisions and the pages on commands and performance are what their sources say', async () => {
  const pages = generatedPages().filter(({ path }) => compared.includes(path));
  expect(pages).toHaveLength(compared.length);
  expect(await stalePages(pages)).toEqual([]);
});

test('the performance page has at most 120 lines and shows missed goals first', () => {
  const page = readFileSync(join(root, 'docs/reference/performance.md'), 'utf8');
  expect(page.split('\n').length).toBeLessThanOrEqual(120);
  expect(page.indexOf('## Missed')).toBeLessThan(page.indexOf('## Met'));
});

test('every name in bold in a guide is a text of the web app', () => {
  const catalogue = readFileSync(join(root, 'web/src/locales/en.po'), 'utf8');
  const texts = new Set([...catalogue.matchAll(/^msgid "(.+)"$/gm)].map(([, text = '']) => text));
  const named = guides.flatMap((guide) => boldNames(guide).map((name) => ({ name, path: guide.path })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !texts.has(name)).map(({ name, path }) => `${path}: ${name}`)).toEqual([]);
});

test('a decision has at most 60 lines: title, status, date, topic, context, decision, price', () => {
  const records = decisions();
  const parts = /\n\n## Context\n\n[\s\S]+\n## Decision\n\n[\s\S]+\n## Price\n\n[\s\S]+$/;
  expect(records.length).toBeGreaterThan(20);
  expect(records.filter(({ number, file }) => !new RegExp(`^${number}-[a-z0-9-]+\\.md$`).test(file))).toEqual([]);
  expect(records.filter(({ text }) => text.split('\n').length > 61).map(({ file }) => file)).toEqual([]);
  expect(records.filter(({ text }) => !parts.test(text)).map(({ file }) => file)).toEqual([]);
  expect(records.filter(({ topic }) => !topics.includes(topic)).map(({ file }) => file)).toEqual([]);
});

const isForeign = (path: string): boolean =>
  /(^|\/)(node_modules|dist|generated|coverage|\.caravan)(\/|$)|\.gen\.tsx?$/.test(path);
const citing = globSync(
  [
    '{bench,docs,e2e,gateway,infra,libs,services,tools,web}/**/*.{css,js,json,md,mjs,prisma,sql,ts,tsx,yaml,yml}',
    '*.{md,mjs,ts}',
  ],
  { cwd: root, exclude: isForeign },
).filter((path) => !isForeign(path) && !path.startsWith('tools/caravan/commands/docs/'));

test('every decision and design note that a file cites exists', () => {
  const known = new Set(decisions().map(({ number }) => number));
  const unknown = citing.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const notes = [...text.matchAll(/\bdesign\/([a-z-]+\.md)\b/g)].map(([, note = '']) => note);
    const missing = notes.filter((note) => !existsSync(join(root, 'docs/develop/design', basename(note))));
    return [...citedNumbers(text).filter((number) => !known.has(number)), ...missing].map((each) => `${path}: ${each}`);
  });
  expect(citing.length).toBeGreaterThan(500);
  expect(unknown).toEqual([]);
});
