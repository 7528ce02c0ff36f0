import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runFile } from '../env.ts';

test('[S38] no other user of the machine reads what a local instance keeps: mails, logs, data and secrets', () => {
  const folder = dirname(runFile());
  const open: string[] = [];
  const look = (name: string): void => {
    const path = join(folder, name);
    const found = lstatSync(path);
    const mode = found.mode & 0o777;
    // PostgreSQL passes through the folder above its own where root starts it.
    const isPassage = name === 'data' && (mode & 0o066) === 0;
    if ((mode & 0o077) !== 0 && !isPassage) open.push(`${name} ${mode.toString(8)}`);
    if (found.isDirectory()) for (const inside of readdirSync(path)) look(join(name, inside));
  };
  // An instance in containers keeps its data in them.
  const kept = ['run.json', 'secrets.json', 'data', 'log', 'run'].filter((name) => existsSync(join(folder, name)));
  expect(kept).toContain('run.json');
  for (const name of kept) look(name);
  expect(open).toEqual([]);
});
