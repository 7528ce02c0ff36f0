import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { root } from '../../process/paths.ts';
import { Restarts } from './restarts.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Bundles by name with the sources that they hold, and what becomes of changes. */
function developing(sources: Record<string, readonly string[]>, failing: ReadonlySet<string> = new Set()) {
  const done: string[] = [];
  const printed: string[] = [];
  const bundles = Object.entries(sources).map(([name, files]) => ({
    name,
    dependsOn: (file: string) => files.some((source) => join(root, source) === file),
    rebuild: () => {
      if (failing.has(name)) return Promise.reject(new Error('Unexpected "="'));
      done.push(`${name} built`);
      return Promise.resolve();
    },
  }));
  const restarts = new Restarts(bundles, {
    isRunning: (name) => name !== 'operate',
    restart: (name) => {
      done.push(`${name} restarted`);
      return Promise.resolve();
    },
    print: (line) => printed.push(line),
  });
  return { restarts, done, printed, change: (file: string) => restarts.recordChange(join(root, file)) };
}

test('a changed source restarts the processes whose bundles hold it, and no other process', async () => {
  const { change, done, printed } = developing({ scoring: ['a.ts', 'b.ts'], social: ['c.ts'], operate: ['a.ts'] });
  change('a.ts');
  await expect.poll(() => printed).toHaveLength(1);
  expect(done).toEqual(['scoring built', 'operate built', 'scoring restarted']);
  expect(printed[0]).toMatch(/^scoring is restarted after [\d.]+ s: a\.ts changed$/);
});

test('files that are written one after the other restart a process once, when nothing was written for a moment', async () => {
  vi.useFakeTimers();
  const { change, done } = developing({ scoring: ['a.ts', 'b.ts'] });
  for (const file of ['a.ts', 'b.ts', 'a.ts']) {
    change(file);
    await vi.advanceTimersByTimeAsync(30);
  }
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(30);
  expect(done).toEqual(['scoring built', 'scoring restarted']);
});

test('a process whose source cannot be built runs on, and the message of the build is shown', async () => {
  const { change, done, printed } = developing({ scoring: ['a.ts'] }, new Set(['scoring']));
  change('a.ts');
  await expect.poll(() => printed).toHaveLength(1);
  expect(done).toEqual([]);
  expect(printed).toEqual(['scoring cannot be built, and runs on as it was:\nUnexpected "="']);
});
