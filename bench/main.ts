import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, machineState } from './harness.ts';
import { root } from './product.ts';

const goals: Readonly<Record<string, () => Promise<Finding[]>>> = {
  G1: async () => (await import('./goals/g01-log-a-movement.ts')).logAMovement(),
  G2: async () => (await import('./goals/g02-pass-through.ts')).passThrough(),
  G3: async () => (await import('./goals/g03-read.ts')).authenticatedRead(),
  G4: async () => (await import('./goals/g04-large-board.ts')).largeBoard(),
  G5: async () => (await import('./goals/g05-growth.ts')).growth(),
  G6: async () => (await import('./goals/g06-deep-feed.ts')).deepFeed(),
  G7: async () => (await import('./goals/g07-log-to-rank.ts')).logToRank(),
  G8: async () => (await import('./goals/g08-rebuild.ts')).rebuilding(),
  'G8-CONSUMED': async () => (await import('./goals/g08-consumed.ts')).rebuildingConsumed(),
  G10: async () => (await import('./goals/g10-start.ts')).start(),
  G14: async () => (await import('./goals/g14-herd.ts')).herd(),
  LOGINS: async () => (await import('./goals/logins.ts')).readingDuringLogins(),
  PHOTOS: async () => (await import('./goals/photos.ts')).photos(),
  G15: async () => (await import('./goals/g15-frozen.ts')).frozen(),
  F15: async () => (await import('./goals/f15-hot-post.ts')).hotPost(),
  G16: async () => (await import('./goals/g16-office.ts')).office(),
  G17: async () => (await import('./goals/g17-monday.ts')).monday(),
  G11: async () => (await import('./goals/g11-memory.ts')).memory(),
  G12: async () => (await import('./goals/g12-after-a-burst.ts')).afterABurst(),
  G13: async () => (await import('./goals/g13-held-snapshot.ts')).heldSnapshot(),
};

// G11 first: memory of a product that has not worked yet. Last those that need a million members in it.
const order = [
  'G11',
  'G2',
  'G3',
  'G1',
  'G7',
  'G14',
  'F15',
  'G12',
  'G13',
  'LOGINS',
  'G16',
  'PHOTOS',
  'G8-CONSUMED',
  'G15',
  'G10',
  'G17',
  'G4',
  'G6',
  'G5',
  'G8',
];
const asked = process.argv.slice(2).map((goal) => goal.toUpperCase());
const unknown = asked.filter((goal) => !(goal in goals));
if (unknown.length > 0) throw new Error(`No goal ${unknown.join(', ')}; there are ${Object.keys(goals).join(', ')}`);

const findings: Finding[] = [];
for (const goal of order.filter((name) => asked.length === 0 || asked.includes(name))) {
  process.stdout.write(`${goal} … (${machineState()})\n`);
  for (const finding of (await goals[goal]?.()) ?? []) {
    findings.push(finding);
    process.stdout.write(
      `  ${finding.verdict.padEnd(10)} ${finding.figure}, wanted ${finding.wanted}: ${finding.what}\n`,
    );
  }
}
writeFileSync(join(root, '.caravan/bench.json'), `${JSON.stringify({ machine: machineState(), findings }, null, 2)}\n`);
process.stdout.write('The figures are in .caravan/bench.json; docs/performance.md is written by hand from them.\n');
