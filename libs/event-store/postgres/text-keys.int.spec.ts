import { join } from 'node:path';
import { textCorpus } from '@caravan/contracts/testing/text-corpus';
import { textKey } from '@caravan/contracts/domain/text/text-key';
import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import { Client } from './client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase({ folders: [join(import.meta.dirname, '../migrations')] });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function keysOf(texts: readonly string[], by: 'text_key' | 'search_key' = 'text_key'): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select ${by}(t.text) as key from unnest($1::text[]) with ordinality t (text, nth) order by t.nth`,
    [texts],
  );
  return rows.map(({ key }) => key);
}

/** The two sides may know different versions of Unicode: characters that both know. */
async function knownCharacters(): Promise<string[]> {
  const all = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code));
  const known = all.filter((text) => /^[^\p{Cn}\p{Cs}\p{Co}\0]$/u.test(text));
  const { rows } = await client.query<{ text: string }>(
    'select t.text from unnest($1::text[]) t (text) where unicode_assigned(t.text)',
    [known],
  );
  return rows.map(({ text }) => text);
}

describe('[D2] the key of a text', () => {
  test('is the same in SQL and in TypeScript for every character, alone and between others', async () => {
    const all = await knownCharacters();
    expect(all.length).toBeGreaterThan(50_000);
    const texts = all.flatMap((text) => [text, `A${text}Σ`]);
    const keys = await keysOf(texts);
    const others = texts.filter((text, nth) => keys[nth] !== textKey(text));
    expect(others.map((text) => JSON.stringify(text))).toEqual([]);
  });

  test('is the same in SQL and in TypeScript for what people type', async () => {
    const texts = textCorpus.map(({ typed }) => typed.toWellFormed());
    expect(await keysOf(texts)).toEqual(texts.map(textKey));
  });
});

test.each([
  ['Zoë O’Neill', "zoe o'neill"],
  ['Łukasz Müller', 'lukasz muller'],
  ['Ångström  Øre', 'angstrom ore'],
  ['مُحَمَّد', 'محمد'],
  ['ПЁТР', 'петр'],
  ['が', 'が'],
])('[D43] %s is searched as %s', async (name, key) => {
  expect(await keysOf([name], 'search_key')).toEqual([key]);
});
