import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from '../../process/paths.ts';
import { runTool } from '../../process/programs.ts';
import { UserError } from '../../process/terminal.ts';

const isCode = (file: string): boolean => /\.tsx?$/.test(file);

/** A change of these can change the outcome of every test. */
const forAll = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig(\.base)?\.json|caravan|\.nvmrc)$/;
/** Migrations that every test database has. */
const forServices = /^libs\/(event-store|messaging)\/migrations\//;
/** They read the sources and documents of the whole repository. */
const readsEverything = /^tools\/house\/[^/]+(?<!\.int)\.spec\.ts$/;

const projectOf = (file: string): string => /^((libs|services|tools)\/[^/]+|[^/]+)\//.exec(file)?.[0] ?? '';

type Repository = {
  /** Relative to the root, tracked or new. */
  readonly files: readonly string[];
  /** The files that a file imports. */
  readonly importsOf: (file: string) => readonly string[];
};

/**
 * The specs that a change can affect: those that import a changed file, directly or through others; all of a project when
 * one of its other files changed, such as a migration; and those that read the whole repository.
 */
export function affectedSpecs(
  { files, importsOf }: Repository,
  specs: readonly string[],
  changed: readonly string[],
): string[] {
  if (changed.some((file) => forAll.test(file))) return [...specs];
  const importers = new Map<string, string[]>();
  for (const file of files.filter(isCode))
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  const reached = new Set(changed);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const projects = changed.filter((file) => !isCode(file)).map(projectOf);
  const isForServices = changed.some((file) => forServices.test(file));
  return specs.filter(
    (spec) =>
      reached.has(spec) ||
      readsEverything.test(spec) ||
      projects.includes(projectOf(spec)) ||
      (isForServices && spec.endsWith('.int.spec.ts')),
  );
}

/** The files that a source imports, relative to the root; packages of others are left out. */
export function importsOf(file: string): string[] {
  const path = join(root, file);
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (!/^(\.|@caravan\/)/.test(fileName)) return [];
    try {
      return [relative(root, fileURLToPath(import.meta.resolve(fileName, pathToFileURL(path).href)))];
    } catch {
      return [];
    }
  });
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** @param since a commit; else the one at which this branch left main, or on main the last one when nothing is changed */
export async function changedFiles(since: string | undefined, signal: AbortSignal): Promise<string[]> {
  const git = async (...args: string[]) => lines(await runTool('git', args, { cwd: root, signal }));
  const fresh = await git('ls-files', '--others', '--exclude-standard');
  const changedSince = async (commit: string) => [...(await git('diff', '--name-only', commit)), ...fresh];
  try {
    if (since !== undefined) return await changedSince(since);
    const [base = 'HEAD'] = await git('merge-base', 'HEAD', 'main');
    const changed = await changedSince(base);
    return changed.length > 0 ? changed : await changedSince('HEAD~1');
  } catch {
    throw new UserError('Git does not know what changed.', `Name a commit: ./caravan test --affected --since COMMIT`);
  }
}

export async function repositoryFiles(signal: AbortSignal): Promise<string[]> {
  const listed = await runTool('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    signal,
  });
  return lines(listed).filter((file) => existsSync(join(root, file)));
}
