import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const sources = globSync('*/*.{service,job}.ts', { cwd: import.meta.dirname }).map(read);
const listed = read('app.module.ts');

// A listener that nobody lists would not be missed: the others are told all the same.
test.each(['AfterCredit', 'AfterOrganisationNews'])(
  'whoever listens to %s is listed in app.module.ts, once',
  (port) => {
    const listener = new RegExp(`export class (\\w+) implements [^{]*\\b${port}\\b`, 'g');
    const listeners = sources.flatMap((text) => [...text.matchAll(listener)].map(([, name = '']) => name));
    const [, names = ''] = new RegExp(`listenersProvider\\(\\s*${port},([^)]*)\\)`).exec(listed) ?? [];
    expect(listeners.length).toBeGreaterThan(2);
    expect(names.match(/\w+/g)?.toSorted()).toEqual(listeners.toSorted());
  },
);
