import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../process/env.ts';
import { secretsOf } from '../servers/instance-files.ts';
import { type InstanceDir, npmProgram, root } from '../process/paths.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { step } from '../process/terminal.ts';
import type { TestServers } from '../servers/servers.ts';
import { podman, startPodman, succeeds } from './engine.ts';
import { findCompose } from './compose.ts';
import { requireParts } from './requirements.ts';
import { makeServerImages, serverImages } from './images.ts';
import { serversLabel, type ServersSettings } from './servers-settings.ts';

/** Four containers on a machine that is busy with other things. */
const patienceMs = { toStart: 300_000, toStop: 60_000 };

/** Of a run that broke off. One that ends by itself meanwhile is no failure. */
async function removeLeftOvers(): Promise<void> {
  const left = await podman('ps', '--all', '--quiet', '--filter', `label=${serversLabel}`);
  if (left === '') return;
  const names = left.split('\n');
  await succeeds(podman('stop', '--time', '5', ...names));
  await podman('rm', '--force', '--ignore', '--volumes', ...names);
}

/** The engine that DOCKER_HOST names, else podman with images of its own; `images` as that engine knows them. */
async function engine(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
): Promise<{ host: string; images: ServersSettings['images'] }> {
  if (env.dockerHost !== undefined) return { host: env.dockerHost, images: serverImages((image) => image) };
  await requireParts(['suites'], findCompose);
  const images = await makeServerImages(supervisor.signal);
  await removeLeftOvers();
  return { host: await startPodman(supervisor, instanceDir), images };
}

/** PostgreSQL, Kafka, Redis and S3 by Testcontainers, until the supervisor stops them. */
export async function startServersInContainers(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  isDurable: boolean,
): Promise<TestServers> {
  const { host, images } = await engine(supervisor, instanceDir);
  const secrets = secretsOf(instanceDir);
  const [settingsFile, readyFile] = ['containers.json', 'servers.json'].map((name) => join(instanceDir.run, name)) as [
    string,
    string,
  ];
  const settings: ServersSettings = {
    images,
    isDurable,
    readyFile,
    s3: secrets.s3,
    passwords: { postgres: secrets.postgres.superuser, redis: secrets.redis },
  };
  rmSync(readyFile, { force: true });
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  await step('PostgreSQL, Kafka, Redis and the object store are ready in containers', () =>
    supervisor.start({
      name: 'containers',
      kind: 'server',
      runsContainers: true,
      command: npmProgram('tsx'),
      args: [join(root, 'tools/caravan/containers/servers-main.ts'), settingsFile],
      marker: settingsFile,
      stopSignal: 'SIGTERM',
      // What it starts it also stops; a container that removes others could not be had everywhere.
      variables: { DOCKER_HOST: host, TESTCONTAINERS_RYUK_DISABLED: 'true' },
      patienceMs,
      isReady: () => existsSync(readyFile),
    }),
  );
  return JSON.parse(readFileSync(readyFile, 'utf8')) as TestServers;
}
