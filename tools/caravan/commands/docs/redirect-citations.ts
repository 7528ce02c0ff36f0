import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../process/paths.ts';
import { runTool } from '../../process/programs.ts';
import { citationTargets, redirected } from './redirects.ts';

// Run it after decisions were merged: every citation in the repository then names what includes the decision today.
const { signal } = new AbortController();
const listed = await runTool('git', ['grep', '-lE', 'ADRs?[ -][0-9]{4}|docs/adr/[0-9]{4}'], { signal, cwd: root });
const targets = citationTargets();
for (const file of listed
  .trim()
  .split('\n')
  .filter((each) => !each.includes('commands/docs/'))) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const after = redirected(before, targets);
  if (after !== before) {
    writeFileSync(path, after);
    process.stdout.write(`${file}\n`);
  }
}
