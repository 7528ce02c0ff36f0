import { parseArgs } from 'node:util';
import { backup } from './operate/backup.ts';
import { buildProduct } from './build/build.ts';
import { checkLocalDeployment } from './operate/deployment/local.ts';
import { composeEnv } from './operate/compose-env.ts';
import { doctor } from './commands/doctor.ts';
import { env } from './process/env.ts';
import { layOutImages } from './commands/image-contents.ts';
import { printError } from './process/foreground.ts';
import { asUserError, nameAndRest, UserError } from './process/terminal.ts';
import { checkInvariants, localVariables, psql } from './operate/local-instance.ts';
import { logs } from './process/logs.ts';
import {
  appointAdmin,
  beginEpoch,
  closeOrganisation,
  confirmAddresses,
  rebuild,
  redrive,
} from './operate/admin-commands.ts';
import { instanceDirAt, instanceDirs } from './process/paths.ts';
import { restore } from './operate/restore.ts';
import { reset, up } from './commands/up.ts';
import { testServers } from './commands/tests/test-servers.ts';
import { usage } from './commands/usage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    empty: { type: 'boolean', default: false },
    deployment: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    affected: { type: 'boolean', default: false },
    since: { type: 'string' },
    seed: { type: 'string' },
    repeat: { type: 'string' },
    stress: { type: 'boolean', default: false },
    containers: { type: 'boolean', default: false },
    durable: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    late: { type: 'string' },
    images: { type: 'string' },
    keys: { type: 'string' },
  },
});

const instanceDir = instanceDirAt(env.instanceDir ?? instanceDirs.up);
const local = localVariables(instanceDir);
const only = typeof values.only === 'string' ? values.only : undefined;
const named = nameAndRest(process.argv.slice(3));
const isDurable = values.durable === true;
const { signal } = new AbortController();

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function wholeNumber(name: 'seed' | 'repeat'): number | undefined {
  const given = text(values[name]);
  if (given !== undefined && !/^\d{1,9}$/.test(given))
    throw new UserError(`--${name} ${given} is not a whole number.`, `For example --${name} 20`);
  return given === undefined ? undefined : Number(given);
}

const commands: Record<string, (name: string | undefined, names: string[]) => Promise<unknown>> = {
  up: () => (values.containers === true ? containers() : up(instanceDir, values.empty === true ? 'empty' : 'demo')),
  dev: (_, shown) => develop(shown),
  docs: () => showDocs(),
  pictures: (_, names) => picture(names),
  test: runTests,
  check: runChecks,
  build: () => build(typeof values.images === 'string' ? values.images : undefined),
  'compose-env': () => composeEnv(),
  bench: (_, goals) => measure(goals),
  mutants: (_, paths) => tryMutants(paths),
  doctor: () => (values.deployment === true ? checkLocalDeployment(instanceDir) : doctor(instanceDir)),
  invariants: () => checkInvariants(instanceDir),
  reset: () => reset(instanceDir, values.yes === true),
  logs: () => logs(instanceDir, named.name, named.rest),
  psql: () => psql(instanceDir, named.name, named.rest),
  rebuild: (service, [, readModel]) => rebuild(local, { service, readModel, isAll: values.all === true }),
  redrive: (service) => redrive(local, service),
  backup: (folder) => backup(instanceDir, folder),
  restore: (folder) =>
    restore(instanceDir, {
      folder,
      isSure: values.yes === true,
      keys: typeof values.keys === 'string' ? values.keys : undefined,
    }),
  'begin-epoch': (service) => beginEpoch(local, service),
  'appoint-admin': (email) => appointAdmin(local, email),
  'close-organisation': (orgId) => closeOrganisation(local, orgId),
  'confirm-address': (_, emails) => confirmAddresses(local, emails),
  'test-servers': () => testServers({ isDurable, inContainers: values.containers === true }),
};

// These need packages that `up` does not install, so they are loaded only when they are asked for.

async function runTests(): Promise<number> {
  const { test } = await import('./commands/tests/test.ts');
  return test({
    isFast: values.fast === true,
    isFull: values.full === true,
    only,
    isDurable,
    inContainers: values.containers === true,
    late: text(values.late),
    isAffected: values.affected === true,
    since: text(values.since),
    seed: wholeNumber('seed'),
    times: wholeNumber('repeat') ?? 1,
    isStressed: values.stress === true,
  });
}

async function develop(shown: readonly string[]): Promise<number> {
  const { dev } = await import('./commands/dev/dev.ts');
  return dev(instanceDir, shown);
}

async function showDocs(): Promise<number> {
  const { docs } = await import('./commands/docs/docs.ts');
  return docs(signal, values.write === true);
}

async function picture(names: readonly string[]): Promise<void> {
  const { takePictures } = await import('./commands/pictures/pictures.ts');
  await takePictures(instanceDir, names, signal);
}

async function runChecks(): Promise<number> {
  const { check } = await import('./commands/check.ts');
  return check(signal, values.full === true);
}

async function tryMutants(paths: string[]): Promise<number> {
  const { mutants } = await import('./commands/mutants/mutants.ts');
  return mutants(paths, signal);
}

async function measure(goals: string[]): Promise<number> {
  const { bench } = await import('./commands/bench.ts');
  return bench(goals, {
    isShort: values.short === true,
    options: (['compare', 'keep'] as const).filter((name) => values[name] === true).map((name) => `--${name}`),
  });
}

async function containers(): Promise<number> {
  const { upInContainers } = await import('./containers/up.ts');
  return upInContainers(instanceDir);
}

async function build(images: string | undefined): Promise<void> {
  await buildProduct(signal);
  if (images !== undefined) layOutImages(images);
}

/** In these commands the arguments after the service belong to the other program. */
const handsOver = ['logs', 'psql'];
const asksForHelp = (command: string): boolean => values['help'] === true && !handsOver.includes(command);

async function run([command, ...names]: string[]): Promise<number> {
  if (command === undefined || asksForHelp(command)) process.stdout.write(usage);
  else {
    const work = commands[command];
    if (work === undefined) throw new UserError(`There is no command ${command}.`, usage);
    const result = await work(names[0], names);
    return typeof result === 'number' ? result : 0;
  }
  return 0;
}

// A closed terminal must not end the launcher before it has stopped its programs.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function exitCode(): Promise<number> {
  try {
    return await run(positionals);
  } catch (error) {
    printError(asUserError(error));
    return 1;
  }
}

// Work that was broken off must not keep the launcher alive.
process.exit(await exitCode());
