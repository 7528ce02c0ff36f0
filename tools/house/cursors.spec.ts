import { globSync, readFileSync } from 'node:fs';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { openApiDocument } from '@caravan/contracts/http/openapi';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = `${import.meta.dirname}/../..`;
const sources = globSync('{services/*/src,gateway/src,libs}/**/*.ts', { cwd: root }).filter(
  (path) => !/\.spec\.ts$|\/testing\/|\/node_modules\/|\/generated\//.test(path),
);
const sourcesWith = (pattern: RegExp) =>
  sources.filter((path) => pattern.test(readFileSync(`${root}/${path}`, 'utf8')));

const paged = Object.entries<Operation>(operations)
  .filter(([, { query }]) => query !== undefined && 'cursor' in (jsonOf(query).properties ?? {}))
  .map(([id]) => id);

type Json = { readonly properties?: Readonly<Record<string, Json>>; readonly format?: string };
function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
}

test('[D18] nothing but the helper that seals cursors makes a value of their type', () => {
  expect(sourcesWith(/\bas (unknown as )?Cursor\b|\bcursorSchema\.(parse|safeParse)/)).toEqual([
    'libs/service-kit/http/cursors.ts',
  ]);
});

test('[D17 D18] nothing but the helper that takes a sealed cursor writes a link to a next page', () => {
  expect(sourcesWith(/rel="?next/)).toEqual(['libs/service-kit/http/page.ts']);
});

test('[D18] every list that answers page by page seals its cursors, each for its own operation', () => {
  expect(paged.length).toBeGreaterThan(20);
  const users = sourcesWith(/\b[cC]ursors\b/).filter((path) => path.startsWith('services/'));
  const text = users.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n');
  expect(paged.filter((id) => !text.includes(`'${id}'`))).toEqual([]);
});

/** The fields of an answer that by their names say where a page begins, with what the document says of them. */
function placesIn(described: unknown, name = ''): (readonly [name: string, format: unknown])[] {
  if (typeof described !== 'object' || described === null) return [];
  const own = described as Record<string, unknown>;
  const isText = JSON.stringify(own).includes('"string"') && !('properties' in own) && own['type'] !== 'array';
  if (/^(next|previous|before|after)$|cursor$/i.test(name) && isText) return [[name, JSON.stringify(own)]];
  return Object.entries(own).flatMap(([key, value]) =>
    key === 'properties' && typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([field, schema]) => placesIn(schema, field))
      : placesIn(value),
  );
}

test('[D18] every field of an answer or of the live stream that holds a cursor is one of the sealed type', () => {
  const paths = openApiDocument()['paths'] as Record<string, Record<string, { responses: unknown }>>;
  const responses = Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.responses));
  const found = responses.flatMap((response) => placesIn(response));
  expect(found.map(([name]) => name)).toEqual(expect.arrayContaining(['next']));
  expect(found.filter(([, described]) => !String(described).includes('"format":"cursor"'))).toEqual([]);
});
