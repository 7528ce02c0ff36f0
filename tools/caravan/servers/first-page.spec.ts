import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstanceDir, instanceDirAt } from '../process/paths.ts';
import { secretsOf } from './instance-files.ts';
import { startProcesses } from './product.ts';
import type { Addresses } from './variables.ts';

let instanceDir: InstanceDir;
beforeEach(() => {
  instanceDir = instanceDirAt(mkdtempSync(join(tmpdir(), 'caravan-')));
});
afterEach(() => rmSync(instanceDir.folder, { recursive: true, force: true }));

const perService = Object.fromEntries(
  serviceNames.map((name) => [name, 'http://127.0.0.1:1']),
) as Addresses['services'];
const addresses: Addresses = {
  url: 'http://127.0.0.1:8080',
  postgres: perService,
  kafka: [],
  redis: 'redis://127.0.0.1:3',
  s3: { endpoint: 'http://127.0.0.1:4', bucket: 'b', region: 'r', accessKey: 'a', secretKey: 's' },
  services: perService,
  mail: { smtp: 'smtp://127.0.0.1:6', http: 'http://127.0.0.1:7' },
  platforms: {},
};

/** Programs that are ready when the test says so. */
function startedPrograms() {
  const ready = new Map<string, () => void>();
  const start = ({ name }: { name: string }) => new Promise<void>((resolve) => ready.set(name, resolve));
  return { start, names: () => [...ready.keys()], become: (name: string) => ready.get(name)?.() };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('the first page is there with the gateway and identity, while other services are still starting', async () => {
  const programs = startedPrograms();
  const told: string[] = [];
  const web = Promise.withResolvers<void>();
  const product = {
    instanceDir,
    secrets: secretsOf(instanceDir),
    port: 8080,
    isDurable: true,
    run: 'up' as const,
    built: Promise.resolve(),
    webBuilt: web.promise,
    onFirstPage: ({ url }: Addresses) => void told.push(url),
  };
  const all = startProcesses(programs, product, addresses);
  await nextTurn();
  expect(programs.names()).toEqual(expect.arrayContaining([...serviceNames, 'mailbox']));
  expect(programs.names()).not.toContain('gateway');
  web.resolve();
  await nextTurn();
  programs.become('gateway');
  await nextTurn();
  expect(told).toEqual([]);
  programs.become('identity');
  await nextTurn();
  expect(told).toEqual(['http://127.0.0.1:8080']);
  for (const name of programs.names()) programs.become(name);
  await all;
});
