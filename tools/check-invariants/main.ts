import { readFileSync } from 'node:fs';
import { withoutAdmin } from './admins.ts';
import { type Databases, violations } from './invariants.ts';

// Figures on their way between services show up too: look again before you worry.
const { postgres } = JSON.parse(readFileSync(process.argv[2] ?? '.caravan/run.json', 'utf8')) as {
  postgres: Databases;
};
const orphans = (await withoutAdmin(postgres.identity)).map((line) => `I13 an organisation has an admin: ${line}`);
const found = [...(await violations(postgres)), ...orphans];
process.stdout.write(found.length === 0 ? 'Every invariant holds.\n' : `${found.join('\n')}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
