import { rmSync, statfsSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { beginBuild, type Build } from '../build/build.ts';
import { DemoNotice } from './demo-notice.ts';
import { env } from '../process/env.ts';
import { inForeground } from '../process/foreground.ts';
import { removeRunFile, type Secrets, secretsOf } from '../servers/instance-files.ts';
import { holdLock, stopOrphans } from '../process/orphans.ts';
import type { InstanceDir } from '../process/paths.ts';
import { isFree } from '../process/ports.ts';
import { startProduct } from '../servers/product.ts';
import { type Contents, contentsOf, demoAccounts, isUnfinished, seedOnce } from './seed.ts';
import type { Supervisor } from '../process/supervisor.ts';
import type { Addresses } from '../servers/variables.ts';
import { print, UserError } from '../process/terminal.ts';
import { downloadJars, requireTools, toolsToRun } from '../build/toolchain.ts';

const neededBytes = 1_000_000_000;

function requireSpace({ folder }: InstanceDir): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= neededBytes) return;
  throw new UserError(
    `The disk that holds ${folder} is full: ${Math.round(free / 1e6)} MB are free, ${neededBytes / 1e6} MB are needed.`,
    'Free some space; `./caravan reset` drops the data of this instance.',
  );
}

async function requirePort(port: number): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError('CARAVAN_PORT is not a port number.', 'Give it a number from 1 to 65535, such as 8090.');
  }
  if (await isFree(port)) return;
  throw new UserError(
    `Port ${port} of 127.0.0.1 is taken by another program.`,
    `Stop that program, or choose another port: CARAVAN_PORT=${port + 10} ./caravan up`,
  );
}

/** Without the demo nobody is an admin of a default organisation: the first person founds one. */
const secretsFor = (instanceDir: InstanceDir, contents: Contents): Secrets =>
  contents === 'demo' ? secretsOf(instanceDir) : { ...secretsOf(instanceDir), defaultOrganisationId: '' };

/** `gatewayPort` and `webRoot`: where something else than the gateway serves the web app. */
type Serving = { readonly build: Build; readonly gatewayPort?: number; readonly webRoot?: string };

/** Throws `UserError` for what has to be there before anything is started. */
export async function requireSurroundings(instanceDir: InstanceDir, signal: AbortSignal): Promise<void> {
  requireSpace(instanceDir);
  await requirePort(env.port);
  await requireTools(toolsToRun(), signal);
}

/** Starts the servers and the product, and fills its demo where it is to have one and has none yet. */
export async function startInstance(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  wanted: Contents,
  { build, ...serving }: Serving,
): Promise<void> {
  const jars = downloadJars(supervisor.signal);
  jars.catch(() => undefined);
  const isFilled = contentsOf(instanceDir) !== undefined;
  const contents = contentsOf(instanceDir) ?? wanted;
  const isDemoToCome = contents === 'demo' && !isFilled;
  const accounts = contents === 'demo' ? await demoAccounts() : [];
  const notice = new DemoNotice();
  const { url } = await startProduct(supervisor, {
    instanceDir,
    secrets: secretsFor(instanceDir, contents),
    port: env.port,
    isDurable: true,
    run: 'up',
    ...serving,
    jars,
    built: build.processes,
    webBuilt: build.webApp,
    beforeProcesses: ({ redis }) => (isDemoToCome ? notice.show(redis) : Promise.resolve()),
    onFirstPage: (addresses) => tellWhere(addresses, accounts, isDemoToCome),
  });
  await build.all;
  if (isUnfinished(instanceDir))
    print('The demo is not complete: the start that filled it was stopped. `./caravan reset` begins anew.');
  await seedOnce(instanceDir, url, contents);
  await notice.end();
  process.stdout.write('\nCtrl-C stops everything; the data stays.\n');
}

function tellWhere({ url, mail, platforms }: Addresses, accounts: readonly string[], isDemoToCome: boolean): void {
  print(`Caravan is at ${url}`);
  print(`Mail is read at ${mail.http}`);
  for (const address of Object.values(platforms)) print(`A fitness platform is simulated at ${address}`);
  if (isDemoToCome) print('The demo is being filled; the page says so until it is there.');
  if (accounts.length > 0) process.stdout.write(`\nSign in as\n${accounts.join('\n')}\n\n`);
}

export async function up(instanceDir: InstanceDir, contents: Contents): Promise<number> {
  const work = async (supervisor: Supervisor) => {
    await requireSurroundings(instanceDir, supervisor.signal);
    await startInstance(supervisor, instanceDir, contents, { build: beginBuild(supervisor.signal, 'quick') });
    return 'stay' as const;
  };
  const exitCode = await inForeground(instanceDir, work, { print });
  removeRunFile(instanceDir);
  return exitCode;
}

/** False when the input ends before an answer, as it does without a terminal. */
async function isAgreed(folder: string): Promise<boolean> {
  const dialogue = createInterface({ input: process.stdin, output: process.stdout });
  const inputEnd = once(dialogue, 'close').then(() => '');
  const answer = await Promise.race([dialogue.question(`Drop all data in ${folder}? [y/N] `), inputEnd]);
  dialogue.close();
  return ['y', 'yes'].includes(answer.trim().toLowerCase());
}

export async function reset(instanceDir: InstanceDir, isSure: boolean): Promise<number> {
  const release = holdLock(instanceDir);
  try {
    if (!isSure && !(await isAgreed(instanceDir.data))) {
      print('Nothing was dropped. Without a terminal, agree by --yes.');
      return 1;
    }
    await stopOrphans(instanceDir);
    for (const gone of [instanceDir.data, instanceDir.log, instanceDir.runFile, instanceDir.secretsFile]) {
      rmSync(gone, { recursive: true, force: true });
    }
    print(`Dropped ${instanceDir.data}`);
    return 0;
  } finally {
    release();
  }
}
