import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../process/env.ts';
import { type InstanceDir, root } from '../process/paths.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** Images and containers lie here, apart from whatever else the machine's engine holds. */
const folder = join(root, '.caravan/containers');
const settings = join(root, 'infra/docker/local-bases/containers.conf');

export function engineVariables(): Record<string, string> {
  const storage = join(folder, 'storage.conf');
  mkdirSync(folder, { recursive: true });
  const lines = [`driver = "overlay"`, `graphroot = "${folder}/store"`, `runroot = "${folder}/run"`];
  writeFileSync(storage, `[storage]\n${lines.join('\n')}\n`);
  // Podman leaves its health checks to timers of systemd; here nobody asks but we (compose.ts).
  return { CONTAINERS_CONF: settings, CONTAINERS_STORAGE_CONF: storage, DISABLE_HC_SYSTEMD: 'true' };
}

export const answersAt = (socket: string): Promise<boolean> =>
  new Promise((answer) => {
    const connection = createConnection(socket, () => answer(true));
    connection.once('error', () => answer(false)).once('connect', () => connection.destroy());
  });

/** Within the instance, unless its path is one that an address or a socket cannot hold. */
export function podmanSocket({ run }: Pick<InstanceDir, 'run'>): string {
  const own = join(run, 'podman.sock');
  if (/^[\w./-]{1,100}$/.test(own)) return `unix://${own}`;
  const name = createHash('sha256').update(run).digest('hex').slice(0, 8);
  return `unix://${join(tmpdir(), `caravan-podman-${name}.sock`)}`;
}

/** What speaks Docker's language and has podman do it, until the supervisor stops it; answers its address. */
export async function startPodman(supervisor: Supervisor, instanceDir: InstanceDir): Promise<string> {
  const address = podmanSocket(instanceDir);
  const socket = address.slice('unix://'.length);
  rmSync(socket, { force: true });
  await supervisor.start({
    name: 'podman',
    kind: 'database',
    runsContainers: true,
    command: 'podman',
    args: ['system', 'service', '--time=0', address],
    marker: socket,
    stopSignal: 'SIGTERM',
    variables: engineVariables(),
    isReady: () => answersAt(socket),
  });
  return address;
}

const execute = promisify(execFile);
const mostBytes = 32_000_000;

/** What it wrote, without the blanks around. Fails with what it said. */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await execute('podman', args, { env: childEnvironment(engineVariables()), maxBuffer: mostBytes });
  return stdout.trim();
}

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
