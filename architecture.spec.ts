import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('./', import.meta.url);
const page = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
const named = [...page.matchAll(/`((?:web|gateway|services|libs|tools)\/[\w./-]+\.tsx?)`/g)].map(
  ([, file]) => file ?? '',
);

test('every file that ARCHITECTURE.md names is there', () => {
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});
