import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../../process/paths.ts';
import { generatedBy, plain, tableOf } from './markdown.ts';

const verdicts = ['missed', 'not judged', 'met', 'told'] as const;

const findingSchema = z.object({
  goal: z.string(),
  what: z.string(),
  figure: z.string(),
  wanted: z.string(),
  verdict: z.enum(verdicts),
  date: z.string().optional(),
});
type Finding = z.infer<typeof findingSchema>;

const resultsSchema = z.object({
  machine: z.string(),
  versions: z.record(z.string(), z.string()),
  date: z.string(),
  findings: z.array(findingSchema),
});

const read = (file: string): string => readFileSync(join(root, 'bench/figures', file), 'utf8');
const goals = (): Record<string, string> => z.record(z.string(), z.string()).parse(parse(read('goals.yml')));

export const goalNumbers = (): string[] => Object.keys(goals());

const longestWords = 100;

const inPlainWords = (text: string): string => text.replaceAll(/\bfloor\b/g, 'baseline');

/** A figure's words without what was measured beside it, which stands in brackets. */
export function shortWords(what: string): string {
  const words = inPlainWords(what)
    .replaceAll(/ *\([^()]*\)/g, '')
    .replaceAll(/(\d\.\d)\d{3,}/g, '$1')
    .replace(/[;:] (others:|\d[\d, ]*;).*$/, '')
    .trim();
  return words.length <= longestWords ? words : `${words.slice(0, words.lastIndexOf(' ', longestWords))} …`;
}

const shortLimit = (wanted: string): string => wanted.replace(/(\d\.\d{3})\d+/, '$1');

/** The worst verdict of a goal first, then the order of the goals. */
export function sortFindings(findings: readonly Finding[], order: readonly string[]): Finding[] {
  const place = ({ goal, verdict }: Finding): number => verdicts.indexOf(verdict) * 1000 + order.indexOf(goal);
  return findings.toSorted((one, other) => place(one) - place(other));
}

/** Twice the same judgement under one load (p50, p95) says nothing new: the last one, the slowest, stays. */
function withoutLesser(findings: readonly Finding[]): Finding[] {
  const isLesser = ({ goal, what, verdict }: Finding): boolean =>
    verdict === 'met' &&
    /^p(50|95) /.test(what) &&
    findings.some((other) => other.goal === goal && other.what === what.replace(/^p(50|95) /, 'p99 '));
  return findings.filter((finding) => !isLesser(finding));
}

const isZero = ({ figure, wanted }: Finding): boolean => figure === '0' && wanted === '≤ 0';

/** Goals of zero that were met share one sentence instead of a row each. */
function zeros(findings: readonly Finding[]): string {
  const byGoal = Map.groupBy(findings, ({ goal }) => goal);
  const parts = [...byGoal].map(([goal, own]) => `${goal} ${own.map(({ what }) => zeroWords(what)).join(', ')}`);
  return `Zero was wanted and measured: ${parts.join('; ')}.\n`;
}

const zeroWords = (what: string): string => plain(shortWords(what).replace(/ (when|in the same run|while) .*$/, ''));

const headings: Readonly<Record<Finding['verdict'], string>> = {
  missed: 'Missed',
  'not judged': 'Not judged: the baseline moved by more than 20 % during the run',
  met: 'Met',
  told: 'Without a goal',
};

export function performancePage(): string {
  const { machine, versions, date, findings } = resultsSchema.parse(JSON.parse(read('known.json')));
  const recorded = z.array(findingSchema).parse(parse(read('recorded.yml')));
  const kept = new Set(findings.map(({ goal }) => goal.toUpperCase()));
  const titles = goals();
  const all = [...findings, ...recorded.filter(({ goal }) => !kept.has(goal))].map((finding) => ({
    ...finding,
    goal: finding.goal.toUpperCase(),
  }));
  const rows = sortFindings(withoutLesser(all), Object.keys(titles)).filter(({ verdict }) => verdict !== 'told');
  const parts = verdicts.slice(0, 3).map((verdict) => {
    const own = rows.filter((row) => row.verdict === verdict);
    const nothing = own.filter(isZero);
    const cells = own
      .filter((row) => !isZero(row))
      .map((row) => [
        row.goal,
        plain(shortWords(row.what)),
        inPlainWords(row.figure),
        shortLimit(row.wanted),
        row.date ?? date,
      ]);
    const table = tableOf(['goal', 'what was measured', 'figure', 'wanted', 'date'], cells);
    return `## ${headings[verdict]}\n\n${table}\n${nothing.length === 0 ? '' : `\n${zeros(nothing)}`}`;
  });
  const named = Object.entries(titles).map(([goal, title]) => `**${goal}** ${title}`);
  return [
    generatedBy('bench/figures'),
    '# Performance\n',
    `Machine: ${machine}, shared by the load generator, all servers and all processes.`,
    `Versions: ${Object.entries(versions)
      .map((entry) => entry.join(' '))
      .join(', ')}. [Load and cost](../develop/design/load.md) says how it is measured and what was learned.\n`,
    ...parts,
    '## Goals\n',
    `${named.join('; ')}.\n`,
  ].join('\n');
}
