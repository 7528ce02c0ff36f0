import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '../..');

/** What every instance of this checkout shares: it can be thrown away and is brought again. */
export const shared = {
  toolchain: join(root, '.caravan/toolchain'),
  jars: join(root, '.caravan/jars'),
  stamps: join(root, '.caravan/stamps'),
  dist: join(root, 'dist'),
};

/** Where one running instance keeps everything of its own. */
export type Home = {
  folder: string;
  data: string;
  log: string;
  run: string;
  runFile: string;
  secretsFile: string;
};

/** Names the parts of an instance's folder and makes the folder. */
export function homeAt(folder: string): Home {
  const home: Home = {
    folder,
    data: join(folder, 'data'),
    log: join(folder, 'log'),
    run: join(folder, 'run'),
    runFile: join(folder, 'run.json'),
    secretsFile: join(folder, 'secrets.json'),
  };
  for (const part of [home.data, home.log, home.run]) mkdirSync(part, { recursive: true });
  return home;
}
