import { inForeground } from '../foreground.ts';
import { logSays } from '../log-file.ts';
import { homeAt } from '../paths.ts';
import type { Family, Program } from '../processes.ts';
import { say } from '../progress.ts';

// An instance of two programs that do nothing, for proofs about starting and stopping: node … <home> [alone | supervised |
// stillborn]; of a stillborn one the service cannot start.
const [, , folder = '', how = 'alone'] = process.argv;
const home = homeAt(folder);

// Each notes when it is asked to stop, so that a test sees who was asked first.
const work = (name: string): string => `
  process.on('SIGTERM', () => setTimeout(() => { console.log('${name} stops at', Date.now()); process.exit() }, 50));
  setInterval(() => {}, 1000);
  console.log('ready');`;

const idle = (name: string, kind: Program['kind']): Program => ({
  name,
  kind,
  command: process.execPath,
  args: ['-e', how === 'stillborn' && name === 'service' ? 'process.exit(3)' : work(name), home.folder],
  marker: home.folder,
  stopSignal: 'SIGTERM',
  isReady: ({ logFile, logFrom }) => logSays(logFile, logFrom, 'ready'),
});

const start = async (family: Family) => {
  await family.start(idle('database', 'database'));
  await family.start(idle('service', 'service'));
  const tellPids = () => say(`ready ${JSON.stringify(family.pids)} ${JSON.stringify(family.crashes)}`);
  family.onBack = tellPids;
  tellPids();
  return 'stay' as const;
};
const supervision = { tell: say, pausesMs: [1, 1, 1, 1] };
process.exitCode = await inForeground(home, start, how === 'alone' ? undefined : supervision);
