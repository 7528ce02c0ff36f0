import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, demand, proofs] = /^\| (S\d\d) +\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    return id && demand && proofs ? [{ id, proofs }] : [];
  });

test('docs/security.md has every requirement once', () => {
  const ids = Array.from({ length: 42 }, (_, index) => `S${String(index + 1).padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test.each(rows)('[$id] is proven where docs/security.md says', ({ id, proofs }) => {
  const specs = [...proofs.matchAll(/`([^`]+[.]spec[.]tsx?)`/g)].map(([, path]) => path ?? '');
  expect(specs.length).toBeGreaterThan(0);
  const without = specs.filter((path) => {
    const file = join(root, path);
    return !existsSync(file) || !new RegExp(`\\[[^\\]]*\\b${id}\\b[^\\]]*\\]`).test(readFileSync(file, 'utf8'));
  });
  expect(without).toEqual([]);
});
