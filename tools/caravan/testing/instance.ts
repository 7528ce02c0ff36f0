import { inForeground } from '../process/foreground.ts';
import { logSays } from '../process/logs.ts';
import { instanceDirAt } from '../process/paths.ts';
import type { Supervisor, Program } from '../process/supervisor.ts';
import { print } from '../process/terminal.ts';

// An instance of two programs that do nothing but keep a file, for proofs about starting and stopping: node … <folder> [alone | supervised |
// failing]; of a failing one the service cannot start.
const [, , folder = '', how = 'alone'] = process.argv;
const instanceDir = instanceDirAt(folder);

// Each notes when it is asked to stop, so that a test sees who was asked first.
const work = (name: string): string => `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const kept = process.argv[1] + '/data/${name}';
  mkdirSync(kept, { recursive: true });
  writeFileSync(kept + '/kept', '');
  process.on('SIGTERM', () => setTimeout(() => { console.log('${name} stops at', Date.now()); process.exit() }, 50));
  setInterval(() => {}, 1000);
  console.log('ready');`;

const idle = (name: string, kind: Program['kind']): Program => ({
  name,
  kind,
  command: process.execPath,
  args: ['-e', how === 'failing' && name === 'service' ? 'process.exit(3)' : work(name), instanceDir.folder],
  marker: instanceDir.folder,
  stopSignal: 'SIGTERM',
  isReady: ({ logFile, logFrom }) => logSays(logFile, logFrom, 'ready'),
});

const start = async (supervisor: Supervisor) => {
  await supervisor.start(idle('database', 'database'));
  await supervisor.start(idle('service', 'service'));
  const printPids = () => print(`ready ${JSON.stringify(supervisor.pids)} ${JSON.stringify(supervisor.crashes)}`);
  supervisor.onRestarted = printPids;
  printPids();
  return 'stay' as const;
};
const restartPolicy = { print, pausesMs: [1, 1, 1, 1] };
process.exitCode = await inForeground(instanceDir, start, how === 'alone' ? undefined : restartPolicy);
