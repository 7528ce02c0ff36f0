import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { childEnvironment } from '../process/env.ts';
import { type InstanceDir, instanceDirs, root } from '../process/paths.ts';
import { UserError } from '../process/terminal.ts';
import { podman, succeeds } from './engine.ts';
import { standInServices } from './images.ts';

const execute = promisify(execFile);
const file = join(root, 'infra/docker-compose.yml');

/** A program and what it is told before its own words. */
export type Compose = {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

/** Where the instance's settings and secrets lie; of `./caravan up` where the documents for operators say. */
export const envFileOf = ({ folder }: Pick<InstanceDir, 'folder'>): string =>
  join(folder === instanceDirs.up ? root : folder, '.env');

/** By which two instances are told apart; of `./caravan up` as the file is called. */
export function projectOf({ folder }: Pick<InstanceDir, 'folder'>): string {
  if (folder === instanceDirs.up) return 'caravan';
  return `caravan-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
}

/** Docker's plugin, or the same program by itself. An older Compose does not know the file's words. */
export async function findCompose(): Promise<readonly [string, ...string[]] | undefined> {
  for (const [command, ...words] of [['docker', 'compose'], ['docker-compose']] as const) {
    const asked = await execute(command, [...words, 'version', '--short']).catch(() => undefined);
    if (asked !== undefined && Number.parseInt(asked.stdout.replace(/^v/, ''), 10) >= 2) return [command, ...words];
  }
  return undefined;
}

async function requireCompose(): Promise<readonly [string, ...string[]]> {
  const program = await findCompose();
  if (program !== undefined) return program;
  throw new UserError(
    'Compose 2 is missing on this machine.',
    'Install the plugin docker-compose; docs/operate/compose.md says how, also without Docker.',
  );
}

/** Compose for the instance's project; `host` is the engine that it speaks to, else it finds Docker itself. */
export async function composeOf(instanceDir: InstanceDir, host: string | undefined): Promise<Compose> {
  const [command, ...words] = await requireCompose();
  return {
    command,
    args: [...words, '--project-name', projectOf(instanceDir), '--env-file', envFileOf(instanceDir), '--file', file],
    variables: host === undefined ? {} : { DOCKER_HOST: host },
  };
}

/** With the images that are made on this machine: ours, and the stand-ins for public ones. */
export function withLocalImages(compose: Compose): Compose {
  const folder = join(root, '.caravan/containers');
  const standIns = join(folder, 'stand-ins.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(standIns, JSON.stringify({ services: standInServices() }));
  return {
    ...compose,
    args: [...compose.args, '--file', standIns],
    variables: { ...compose.variables, CARAVAN_VERSION: 'local' },
  };
}

/** What it wrote, and beside it what it told of its own doing. */
export const runCompose = ({ command, args, variables }: Compose, ...words: string[]) =>
  execute(command, [...args, ...words], { env: childEnvironment(variables) });

/** What it wrote, without the blanks around. */
export const askCompose = async (compose: Compose, ...words: string[]): Promise<string> =>
  (await runCompose(compose, ...words)).stdout.trim();

const containerSchema = z.object({ State: z.string(), Health: z.string(), ExitCode: z.number() });

/** Whether every container does its work, or has done it. */
export async function isWell(compose: Compose): Promise<boolean> {
  const listed = await askCompose(compose, 'ps', '--all', '--format', 'json');
  const containers = listed.split('\n').filter((line) => line !== '');
  return containers
    .map((line) => containerSchema.parse(JSON.parse(line)))
    .every(({ State, Health, ExitCode }) =>
      State === 'running' ? ['', 'healthy'].includes(Health) : State === 'exited' && ExitCode === 0,
    );
}

const everyMilliseconds = 1_000;

/** Asks containers whether they are well until they are, which Docker does by itself and Podman leaves to systemd. */
export async function keepAsking(instanceDir: InstanceDir, signal: AbortSignal): Promise<void> {
  const label = `label=com.docker.compose.project=${projectOf(instanceDir)}`;
  const unwell = ['health=starting', 'health=unhealthy'].flatMap((state) => ['--filter', state]);
  while (!signal.aborted) {
    const listed = await podman('ps', '--quiet', '--filter', label, ...unwell).catch(() => '');
    const names = listed.split('\n').filter((name) => name !== '');
    for (const name of names) await succeeds(podman('healthcheck', 'run', name));
    await pause(everyMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
