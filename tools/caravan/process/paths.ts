import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ServiceName } from '@caravan/contracts/events/topics';
import { dataMode, makePrivate } from './private-files.ts';

/** Sources and their bundles stand at different depths of the same layout, in a checkout as in an image. */
function folderAbove(folder: string, content: string): string {
  if (existsSync(join(folder, content))) return folder;
  if (dirname(folder) === folder) throw new Error(`No folder above ${import.meta.dirname} has ${content}.`);
  return folderAbove(dirname(folder), content);
}

export const root = folderAbove(import.meta.dirname, 'libs/event-store/migrations');

const local = join(root, '.caravan');

/** What every instance of this checkout shares: it can be thrown away and is brought again. */
export const shared = {
  jars: join(local, 'jars'),
  stamps: join(local, 'stamps'),
  compiled: join(local, 'compiled'),
  testServersFile: join(local, 'test-servers.json'),
  dist: join(root, 'dist'),
};

export type ProcessName = 'gateway' | 'mailbox' | 'simulators' | ServiceName;

export const bundleOf = (name: ProcessName): string => join(shared.dist, name, 'main.js');

export const npmProgram = (name: string): string => join(root, 'node_modules/.bin', name);

export type InstanceDir = {
  folder: string;
  data: string;
  log: string;
  run: string;
  runFile: string;
  secretsFile: string;
};

export const instanceDirs = {
  up: local,
  // Every run of the tests proves that a folder may be called like this.
  test: join(local, 'test of Müller & Söhne'),
  testServers: join(local, 'test-servers'),
  bench: join(local, 'bench'),
  statements: join(local, 'statements'),
};

export function instanceDirAt(folder: string): InstanceDir {
  const instanceDir: InstanceDir = {
    folder,
    data: join(folder, 'data'),
    log: join(folder, 'log'),
    run: join(folder, 'run'),
    runFile: join(folder, 'run.json'),
    secretsFile: join(folder, 'secrets.json'),
  };
  makePrivate(instanceDir.data, dataMode);
  for (const part of [instanceDir.log, instanceDir.run]) makePrivate(part);
  return instanceDir;
}

/** What earlier runs left running must have been stopped. */
export function emptyInstanceDir(instanceDir: InstanceDir): InstanceDir {
  rmSync(instanceDir.data, { recursive: true, force: true });
  return instanceDirAt(instanceDir.folder);
}
