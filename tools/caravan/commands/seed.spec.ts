import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstanceDir, instanceDirAt } from '../process/paths.ts';
import { contentsOf, isUnfinished, seedOnce } from './seed.ts';

let instanceDir: InstanceDir;
beforeEach(() => {
  instanceDir = instanceDirAt(mkdtempSync(join(tmpdir(), 'caravan-')));
});
afterEach(() => rmSync(instanceDir.folder, { recursive: true, force: true }));

const nowhere = 'http://127.0.0.1:1';

test('[D26] an instance that was stopped while its demo was filled says so, and is not filled again', async () => {
  await expect(seedOnce(instanceDir, nowhere, 'demo')).rejects.toThrow('not running');
  expect([contentsOf(instanceDir), isUnfinished(instanceDir)]).toEqual(['demo', true]);
  await expect(seedOnce(instanceDir, nowhere, 'demo')).resolves.toBeUndefined();
});

test('an instance that was begun without the demo stays without it', async () => {
  await seedOnce(instanceDir, nowhere, 'empty');
  await seedOnce(instanceDir, nowhere, 'demo');
  expect([contentsOf(instanceDir), isUnfinished(instanceDir)]).toEqual(['empty', false]);
});
