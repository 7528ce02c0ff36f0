import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../caravan/commands/docs/pages/rules-page.ts';

const root = join(import.meta.dirname, '../..');
const rows = Object.entries(requirements()).map(([id, { proven }]) => ({ id, proven }));

test('security-requirements.yml has every requirement once', () => {
  const ids = Array.from({ length: 42 }, (_, index) => `S${String(index + 1).padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test.each(rows)('[$id] is proven where security-requirements.yml says', ({ id, proven }) => {
  const without = proven.filter((path) => {
    const file = join(root, path);
    return !existsSync(file) || !new RegExp(`\\[[^\\]]*\\b${id}\\b[^\\]]*\\]`).test(readFileSync(file, 'utf8'));
  });
  expect(without).toEqual([]);
});
