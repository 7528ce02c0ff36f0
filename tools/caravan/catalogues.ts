import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmProgram, root } from './paths.ts';
import { runTool } from './programs.ts';

const folder = join(root, 'web/src/locales');

const read = (): Map<string, string> =>
  new Map(globSync('*.po', { cwd: folder }).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

// Lingui writes the time of each extraction, which says nothing about the messages.
const messages = (catalogue: string | undefined): string | undefined =>
  catalogue?.replace(/^"POT-Creation-Date:.*\n/m, '');

/** Fails when the message catalogues lack a text of the web app or hold one that is gone; leaves them as they are. */
export async function changedCatalogues(signal: AbortSignal): Promise<void> {
  const before = read();
  const extract = ['extract', '--clean', '--config', join(root, 'web/lingui.config.ts')];
  await runTool(npmProgram('lingui'), extract, { signal, cwd: join(root, 'web') });
  const after = read();
  for (const [name, content] of before) writeFileSync(join(folder, name), content);
  const stale = [...after].filter(([name, content]) => messages(before.get(name)) !== messages(content));
  if (stale.length === 0) return;
  const names = stale.map(([name]) => name).join(', ');
  throw new Error(`Out of date: ${names}. Run \`npx lingui extract --clean\` in web/.`);
}
