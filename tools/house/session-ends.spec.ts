import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{services,libs,gateway}/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/generated/**'],
}).filter((path) => !/[.]spec[.]ts$|\/testing\//.test(path));

const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));

test('[S04 S06] one statement ends sessions, so that every end is announced until Redis has stored it', () => {
  expect(filesWith(/\bset\s+ended_at\b[^`]*\bend_reason\b|update\s+sessions\b[^`]*\bended_at\s*=/)).toEqual([
    'services/identity/src/sessions/session-ends.store.ts',
  ]);
  expect(filesWith(/[.]putEnded\(/)).toEqual(['services/identity/src/sessions/session-ends.service.ts']);
});
