import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../process/paths.ts';
import { decisions } from './pages/adr-index.ts';

/** A number that is cited: the decision that has it, the one that includes it, or the design note that does. */
export type Targets = ReadonlyMap<string, string>;

const includes = /^This note includes the former decisions ([\d, and]+)\.$/m;

/** Each number of a decision, and what a citation of it names today: a number, or a design note. */
export function citationTargets(): Targets {
  const targets = new Map<string, string>();
  for (const { number, includes: former } of decisions())
    for (const one of [number, ...former]) targets.set(one, number);
  for (const file of globSync('docs/develop/design/*.md', { cwd: root })) {
    const [, former = ''] = includes.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    for (const one of former.match(/\d{4}/g) ?? []) targets.set(one, file.replace('docs/develop/', ''));
  }
  return targets;
}

// A comment may end its line between the word and the number.
const citation = /\bADRs?(?: |\s+(?:--|\/\/|\*|#) )(\d{4})((?:(?:, | and )\d{4})*)/g;
/** The files of decisions in their former folder. */
const formerPath = /docs\/adr\/(\d{4})-[a-z0-9-]+(?:\.md)?/g;
const title = /\[([^\]\n]*\bADR-\d{4}[^\]\n]*)\] /g;

const isNumber = (target: string): boolean => /^\d{4}$/.test(target);

function namesOf(numbers: readonly string[], targets: Targets): string {
  const found = [...new Set(numbers.map((number) => targets.get(number) ?? number))];
  const cited = found.filter(isNumber).join(', ');
  const notes = found.filter((target) => !isNumber(target));
  return [...(cited === '' ? [] : [`ADR ${cited}`]), ...notes].join(', ');
}

/** A test's title cites decisions only: what became a design note is left out. */
function titleOf(numbers: string, targets: Targets): string {
  const kept = numbers.split(' ').flatMap((each) => {
    const target = each.startsWith('ADR-') ? targets.get(each.slice(4)) : undefined;
    if (target === undefined) return [each];
    return isNumber(target) ? [`ADR-${target}`] : [];
  });
  return kept.length === 0 ? '' : `[${[...new Set(kept)].join(' ')}] `;
}

/** The text with every citation of a former decision naming what includes it today. */
export function redirected(text: string, targets: Targets): string {
  return text
    .replaceAll(formerPath, (_, number: string) => namesOf([number], targets))
    .replaceAll(citation, (_, first: string, rest: string) =>
      namesOf([first, ...(rest.match(/\d{4}/g) ?? [])], targets),
    )
    .replaceAll(title, (_, numbers: string) => titleOf(numbers, targets));
}

/** The numbers that a text cites; a path into the former folder counts as one that is unknown. */
export function citedNumbers(text: string): string[] {
  const inText = [...text.matchAll(citation)].flatMap(([all]) => all.match(/\d{4}/g) ?? []);
  const inTitles = [...text.matchAll(/\bADR-(\d{4})/g)].map(([, number = '']) => number);
  const inPaths = [...text.matchAll(/docs\/adr\/(\d{4})/g)].map(([path]) => path);
  return [...inText, ...inTitles, ...inPaths];
}
