import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, mergeFigures, moves, rowsOf } from './figures/comparing.ts';
import { machine, versions } from './figures/machine.ts';
import { isShort } from './form.ts';
import { type Finding, machineState } from './harness.ts';
import { root, runningProduct } from './product.ts';
import { goals, goalsAsked } from './registry.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});
const known = join(import.meta.dirname, 'figures/known.json');
const read = (file: string): Figures | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures) : undefined;
const write = (file: string, figures: object) => writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
const print = (text: string) => process.stdout.write(text);

const findings: Finding[] = [];
const seconds: Record<string, number> = {};
const failed: string[] = [];
const startedAt = machineState();
for (const goal of goalsAsked(positionals, isShort)) {
  print(`${goal} … (${machineState()})\n`);
  const from = performance.now();
  try {
    for (const finding of (await goals[goal]?.()) ?? []) {
      findings.push(finding);
      print(`  ${finding.verdict.padEnd(10)} ${finding.figure}, wanted ${finding.wanted}: ${finding.what}\n`);
    }
  } catch (error) {
    // What others have to say is worth having all the same.
    failed.push(goal);
    print(`  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  seconds[goal] = Math.round((performance.now() - from) / 1_000);
}

const found: Figures = {
  machine: machine(),
  versions: await versions(runningProduct()),
  date: new Date().toISOString().slice(0, 10),
  note: `${isShort ? 'short form; ' : ''}at the start ${startedAt}, at the end ${machineState()}`,
  findings,
};
write(join(root, '.caravan/bench.json'), { ...found, seconds });
print(`\nFor docs/reference/performance.md:\n\n${rowsOf(findings)}\n`);
print(`${found.machine}; ${Object.entries(found.versions).flat().join(' ')}; ${found.date}; ${found.note}\n`);
const took = Object.entries(seconds).map(([goal, of]) => `${goal} ${of}`);
print(`Seconds: ${took.join(', ')}; all ${Object.values(seconds).reduce((sum, of) => sum + of, 0)}\n`);
print('The figures are in .caravan/bench.json.\n');
if (values.compare) compare();
if (values.keep) write(known, mergeFigures(read(known), found));
if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}`);

function compare(): void {
  const before = read(known);
  if (!before) return void print('There is nothing to compare with: bench/figures/known.json comes with --keep.\n');
  const all = moves(before.findings, findings);
  print(`\nBeside ${before.machine}, ${before.date} (${before.note ?? 'at rest'}): ${all.length} ratios and counts\n`);
  for (const { goal, what, before: then, now, unit, is } of all)
    if (is !== 'as before') print(`  ${is.padEnd(14)} ${goal}: ${then}${unit} → ${now}${unit}: ${what}\n`);
  const stayed = all.filter(({ is }) => is === 'as before').length;
  print(`  ${stayed} as before\n`);
}
