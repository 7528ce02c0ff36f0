import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

/** Kinds of tests, in the order in which they run. */
export const stages = ['pure', 'web', 'integration', 'journeys'] as const;

/** A kind of tests. */
export type Stage = (typeof stages)[number];

/** Which stage a file of tests belongs to; undefined for other files. */
export function stageOf(file: string): Stage | undefined {
  if (!/\.spec\.tsx?$/.test(file)) return undefined;
  if (file.endsWith('.e2e.spec.ts')) return 'journeys';
  if (file.endsWith('.int.spec.ts')) return 'integration';
  return file.startsWith('web/') ? 'web' : 'pure';
}

/** What of a stage is to run: files as a whole, and files of which only tests with the word in their title run. */
export type Selection = { files: string[]; filesByTitle: string[] };

type SpecFile = { file: string; text: string };

/** Chooses the tests of a stage that have `word` in their file's name or in their title. */
export function select(specs: readonly SpecFile[], stage: Stage, word: string): Selection {
  const sought = word.toLowerCase();
  const ofStage = specs.filter(({ file }) => stageOf(file) === stage);
  const isNamed = ({ file }: SpecFile): boolean => file.toLowerCase().includes(sought);
  const files = ofStage.filter(isNamed).map(({ file }) => file);
  const filesByTitle = ofStage
    .filter((spec) => !isNamed(spec) && spec.text.toLowerCase().includes(sought))
    .map(({ file }) => file);
  return { files, filesByTitle };
}

const isForeign = (path: string): boolean => /(^|\/)(node_modules|dist|generated|\.caravan)(\/|$)/.test(path);

/** Every file of tests in the checkout. */
export function allSpecs(): SpecFile[] {
  return globSync('{libs,services,gateway,web,tools,bench,e2e}/**/*.spec.{ts,tsx}', { cwd: root, exclude: isForeign })
    .filter((file) => !isForeign(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/** A regular expression that finds `word` as it is written. */
export const literally = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
