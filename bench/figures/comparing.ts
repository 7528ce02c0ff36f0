import type { Finding } from '../harness.ts';

/** What a run found, and on what: comparing is honest only where these are known. */
export type Figures = {
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
  /** What else the machine did: of figures that say less than they could. */
  readonly note?: string;
  readonly findings: readonly Finding[];
};

export type Move = {
  readonly goal: string;
  readonly what: string;
  readonly before: number;
  readonly now: number;
  readonly unit: string;
  readonly is: 'better' | 'worse' | 'as before' | 'not comparable';
};

/** Less than this moves by itself, also where the floor stood still. */
const toleratedShare = 0.2;
/** Of counts and slopes, whose own size may be nothing. */
const toleratedSteps = 0.05;

/** Seconds, megabytes and rates are of a machine; ratios, slopes, counts and what a row takes are of the product. */
const units = new Set(['×', '', 'bytes', 'KiB']);
const isOfProduct = ({ unit }: Pick<Finding, 'unit'>): boolean => units.has(unit);

const inBrackets = / *\([^()]*\)/g;
const numbers = /\d[\d.,]*/g;

/** A figure has no name of its own: it is its goal, its words without what was measured, and which of such it is. */
function findingsByName<Found extends Pick<Finding, 'goal' | 'what'>>(findings: readonly Found[]): Map<string, Found> {
  const names = new Map<string, Found>();
  for (const finding of findings) {
    const words = `${finding.goal} ${finding.what.replace(inBrackets, '').replace(numbers, '#')}`;
    let nth = 1;
    while (names.has(`${words} ${nth}`)) nth += 1;
    names.set(`${words} ${nth}`, finding);
  }
  return names;
}

/** Only what both runs have, and only what says something on another machine too. */
export function moves(before: readonly Finding[], now: readonly Finding[]): Move[] {
  const known = findingsByName(before);
  return [...findingsByName(now)].flatMap(([name, finding]) => {
    const other = known.get(name);
    if (!other || !isOfProduct(finding)) return [];
    const { goal, what, unit } = finding;
    return [{ goal, what, unit, before: other.value, now: finding.value, is: moveBetween(other, finding) }];
  });
}

function moveBetween(before: Finding, now: Finding): Move['is'] {
  if (before.verdict === 'not judged' || now.verdict === 'not judged') return 'not comparable';
  const tolerated = Math.max(toleratedShare * Math.abs(before.value), toleratedSteps);
  const difference = now.value - before.value;
  if (Math.abs(difference) <= tolerated) return 'as before';
  return difference > 0 === (now.isBetter === 'higher') ? 'better' : 'worse';
}

/** Those of this run in the place of earlier ones of the same goals. */
export function mergeFigures(before: Figures | undefined, now: Figures): Figures {
  const goals = new Set(now.findings.map(({ goal }) => goal));
  const others = before?.findings.filter(({ goal }) => !goals.has(goal)) ?? [];
  return { ...now, findings: [...others, ...now.findings] };
}

/** As docs/reference/performance.md has them. */
export const rowsOf = (findings: readonly Finding[]): string =>
  findings.map(({ goal, what, figure, verdict }) => `| ${goal} | ${what}: ${figure} | ${verdict} |\n`).join('');
