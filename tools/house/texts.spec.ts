import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/generated/**', '**/*.spec.*', '**/testing/**'] }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }));

test('[D39] no field of the web app counts by itself how many characters it takes: `maxLength` of a browser counts an emoji twice', () => {
  const bare = read('web/src/**/*.{ts,tsx}').filter(({ text }) =>
    [...text.matchAll(/<(?:input|textarea)\b[^>]*>|h\(['"](?:input|textarea)['"][\s\S]{0,400}/g)].some(
      ([element]) => element.includes('maxLength') && !element.includes('countedInput'),
    ),
  );
  expect(bare.map(({ file }) => file)).toEqual([]);
  const fields = read('web/src/ui/field.tsx').map(({ text }) => text);
  expect(fields.join().match(/countedInput\((?:input|area)\)/g)).toHaveLength(2);
});

test('[D2] names are compared by their key alone, in SQL and in TypeScript', () => {
  const names = String.raw`(?:name|activity(?:_?type)?|caption)`;
  const bySql = new RegExp(String.raw`\b(?:lower|upper|ilike)\s*\(?\s*(?:\w+\.)?${names}\b`, 'i');
  const byCase = new RegExp(String.raw`\b${names}\)?\.(?:trim\(\)\.)?toLo(?:cale)?werCase\(\)\s*[!=]==`, 'i');
  const compared = read('{services/*/src,libs,web/src}/**/*.{ts,tsx}').filter(
    ({ text }) => bySql.test(text) || byCase.test(text),
  );
  expect(compared.map(({ file }) => file)).toEqual([]);
});
