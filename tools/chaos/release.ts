import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { env } from '@caravan/caravan/process/env';
import { instanceDirs, root } from '@caravan/caravan/process/paths';
import { runTool } from '@caravan/caravan/process/programs';
import { step, UserError } from '@caravan/caravan/process/terminal';

/** Built processes of one commit: `dist/<process>/main.js` below the folder. */
export type Release = { readonly name: string; readonly folder: string };

const git = async (args: string[], signal: AbortSignal): Promise<string> =>
  (await runTool('git', args, { signal, cwd: root })).trim();

/** The newest tag of a version. Before the first one, the last commit that changed a baseline: what ran earlier is refused. */
async function previousOf(signal: AbortSignal): Promise<string> {
  const tag = await git(['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'], signal).catch(() => '');
  if (tag !== '') return tag;
  return git(['log', '-1', '--format=%H', '--', '*/migrations/*_baseline/migration.sql'], signal);
}

async function unpack(commit: string, folder: string, signal: AbortSignal): Promise<void> {
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  await runTool('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, part], { signal, cwd: root });
  renameSync(part, folder);
}

/** A release that is no longer the working tree's: its own sources, packages and build. What is there already is kept. */
export async function previousRelease(wanted: string | undefined, signal: AbortSignal): Promise<Release> {
  const ref = wanted ?? (await previousOf(signal));
  const commit = await git(['rev-parse', '--verify', `${ref}^{commit}`], signal).catch(() => {
    throw new UserError(
      `There is no commit ${ref} here.`,
      'Name a tag or commit of this repository; fetch its history.',
    );
  });
  const name = commit.slice(0, 12);
  const folder = join(instanceDirs.up, 'releases', name);
  await step(`The sources of ${name} are here`, () => unpack(commit, folder, signal));
  const variables = { PATH: `${dirname(process.execPath)}${delimiter}${env.path}` };
  await step(`${name} is built`, () => runTool('./caravan', ['build'], { signal, cwd: folder, variables }));
  return { name, folder };
}

export const thisRelease: Release = { name: 'this release', folder: root };
