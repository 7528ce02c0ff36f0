import { parseArgs } from 'node:util';
import { bench } from './bench.ts';
import { buildProduct } from './build.ts';
import { check } from './check.ts';
import { doctor } from './doctor.ts';
import { env } from './env.ts';
import { complain } from './foreground.ts';
import { logs } from './logs.ts';
import { rebuild, redrive } from './operate.ts';
import { homeAt, homes } from './paths.ts';
import { psql } from './psql.ts';
import { reset } from './reset.ts';
import { test } from './test.ts';
import { testServers } from './test-servers.ts';
import { asTrouble, Trouble } from './trouble.ts';
import { up } from './up.ts';

const usage = `Usage: ./caravan <command>

  up [--empty]            start everything and stay; --empty: without the demo
  test [--fast] [--only WORD] [--durable]
                          every test; --fast: the pure ones; --only: with WORD in their file's name or title
  check                   types, lint, boundaries, unused code, formatting, generated files
  build                   build everything into dist/
  bench [goal]            measure against the goals of docs/performance.md
  doctor                  what is here, what is missing and what brings it
  reset [--yes]           drop all data
  logs [service]          follow the logs
  psql [service]          open a service's database
  rebuild <projection>    fill a read model anew from the events, then switch to it
  redrive <service>       replay the messages that could not be handled
  test-servers            keep servers for single integration suites running
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    empty: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    durable: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

async function build(): Promise<number> {
  await buildProduct(new AbortController().signal);
  return 0;
}

function run([command, ...words]: string[]): Promise<number> | number {
  const home = homeAt(env.home ?? homes.up);
  const isDurable = values.durable === true;
  switch (command) {
    case 'up':
      return up(home, values.empty === true ? 'empty' : 'demo');
    case 'test':
      return test({
        isFast: values.fast === true,
        only: typeof values.only === 'string' ? values.only : undefined,
        isDurable,
      });
    case 'check':
      return check();
    case 'build':
      return build();
    case 'bench':
      return bench(words);
    case 'doctor':
      return doctor(home);
    case 'reset':
      return reset(home, values.yes === true);
    case 'logs':
      return logs(home, words[0]);
    case 'psql':
      return psql(home, words[0]);
    case 'rebuild':
      return rebuild(home, words[0]);
    case 'redrive':
      return redrive(home, words[0]);
    case 'test-servers':
      return testServers(isDurable);
    case undefined:
      process.stdout.write(usage);
      return 0;
    default:
      throw new Trouble(`There is no command ${command}.`, usage);
  }
}

// A closed terminal must not end the launcher before it has stopped its programs.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  process.exitCode = await run(positionals);
} catch (error) {
  complain(asTrouble(error));
  process.exitCode = 1;
}
