import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('services/*/src/**/*.ts', { cwd: root, exclude: ['**/generated/**'] }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('[F05 D32] no job carries a token or a session: background work goes on when the person who asked has signed out', () => {
  const data = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/defineJob\(\{[^]*?data: ([^]*?)\n {2}\w+:/g)].map(([, fields]) => `${path}: ${fields ?? ''}`),
  );
  expect(data.length).toBeGreaterThan(20);
  expect(data.filter((fields) => /token|session/i.test(fields.replace(/^[^:]*:/, '')))).toEqual([]);
  // Tokens of sessions are issued where people sign in, and nowhere else.
  expect(filesWith(/keyRing\.issue\(/)).toEqual(['services/identity/src/sessions/sessions.service.ts']);
});

test('[F05] no job of a service is lost with Redis: each is repeated, or found again in PostgreSQL', () => {
  const defined = sources.flatMap(({ text }) =>
    [...text.matchAll(/defineJob\(\{([^]*?)\n\}\)/g)].map(([, job]) => job ?? ''),
  );
  expect(defined.length).toBeGreaterThan(25);
  expect(defined.filter((job) => !/\b(everySeconds|remadeBy: ')/.test(job))).toEqual([]);
  expect(filesWith(/remadeBy: null/)).toEqual([]);
});
