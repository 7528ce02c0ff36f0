import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for what a measurement writes down; it goes when this process ends. */
export function ownFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
