import { z } from 'zod';

const reportSchema = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

/** Counts of mutants; those that are left out or do not run are in none of them. */
export type Score = {
  readonly file: string;
  readonly killed: number;
  readonly survived: number;
  readonly notReached: number;
};

const statusesOfKilled = ['Killed', 'Timeout'];

/** @param report of Stryker's reporter `json`, version 2 of its schema */
export function scoresIn(report: unknown): Score[] {
  return Object.entries(reportSchema.parse(report).files).map(([file, { mutants }]) => {
    const countOf = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
    return {
      file,
      killed: countOf(...statusesOfKilled),
      survived: countOf('Survived'),
      notReached: countOf('NoCoverage'),
    };
  });
}

/** In Markdown, one line a file and one for the whole. */
export function tableOf(scores: readonly Score[]): string {
  const sum = (of: 'killed' | 'survived' | 'notReached') => scores.reduce((total, score) => total + score[of], 0);
  const all = { file: 'all', killed: sum('killed'), survived: sum('survived'), notReached: sum('notReached') };
  const lines = [...scores.toSorted((one, other) => (one.file < other.file ? -1 : 1)), all].map(lineOf);
  return ['| file | mutants | killed | survived | not reached | score |', '|---|--:|--:|--:|--:|--:|', ...lines].join(
    '\n',
  );
}

function lineOf({ file, killed, survived, notReached }: Score): string {
  const mutants = killed + survived + notReached;
  const score = mutants === 0 ? '–' : `${((100 * killed) / mutants).toFixed(1)} %`;
  return `| ${[file, mutants, killed, survived, notReached, score].join(' | ')} |`;
}

const begin = '<!-- written by ./caravan mutants -->';
const end = '<!-- end -->';

/** A page with another table between its two marks. */
export function withTable(page: string, table: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The page lacks ${begin} or ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${table}\n\n${page.slice(to)}`;
}
