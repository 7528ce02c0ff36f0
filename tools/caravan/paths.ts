import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '../..');

const local = join(root, '.caravan');

/** What every instance of this checkout shares: it can be thrown away and is brought again. */
export const shared = {
  jars: join(local, 'jars'),
  stamps: join(local, 'stamps'),
  /** Node's cache of compiled modules. */
  compiled: join(local, 'compiled'),
  /** Where suites find servers that somebody keeps running while developing. */
  testServersFile: join(local, 'test-servers.json'),
  dist: join(root, 'dist'),
};

/** An npm program of this checkout. */
export const npmProgram = (name: string): string => join(root, 'node_modules/.bin', name);

/** Where one running instance keeps everything of its own. */
export type InstanceDir = {
  folder: string;
  data: string;
  log: string;
  run: string;
  runFile: string;
  secretsFile: string;
};

/** The folders of the instances that a checkout may have beside each other. */
export const instanceDirs = {
  up: local,
  // So named that every run of the tests proves that a folder may be called like this.
  test: join(local, 'test of Müller & Söhne'),
  testServers: join(local, 'test-servers'),
  bench: join(local, 'bench'),
};

/** Names the parts of an instance's folder and makes the folder. */
export function instanceDirAt(folder: string): InstanceDir {
  const instanceDir: InstanceDir = {
    folder,
    data: join(folder, 'data'),
    log: join(folder, 'log'),
    run: join(folder, 'run'),
    runFile: join(folder, 'run.json'),
    secretsFile: join(folder, 'secrets.json'),
  };
  for (const part of [instanceDir.data, instanceDir.log, instanceDir.run]) mkdirSync(part, { recursive: true });
  return instanceDir;
}

/** An instance's folder without the data of earlier runs. What they left running must have been stopped. */
export function emptied(instanceDir: InstanceDir): InstanceDir {
  rmSync(instanceDir.data, { recursive: true, force: true });
  return instanceDirAt(instanceDir.folder);
}
