import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { complain, inForeground } from './foreground.ts';
import { homeAt, root } from './paths.ts';
import { say } from './progress.ts';
import { announce, startTestServers } from './test-servers.ts';
import { asTrouble } from './trouble.ts';

// A closed terminal must not end the launcher before it has stopped its programs.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function testServers(): Promise<number> {
  return inForeground(homeAt(join(root, '.caravan/test-servers')), async (family) => {
    announce(await startTestServers(family, homeAt(join(root, '.caravan/test-servers')), true));
    say('Servers for tests are ready: run `npx vitest --project integration <path>`. Ctrl-C stops them.');
    return 'stay';
  });
}

const { positionals } = parseArgs({ allowPositionals: true, strict: false });
try {
  process.exitCode = await testServers();
} catch (error) {
  complain(asTrouble(error));
  process.exitCode = 1;
}
void positionals;
