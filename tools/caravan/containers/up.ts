import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeComposeEnv } from '../operate/compose-env.ts';
import { env } from '../process/env.ts';
import { inForeground } from '../process/foreground.ts';
import { type InstanceDir, npmProgram, root } from '../process/paths.ts';
import { isReadyAt, portNear } from '../process/ports.ts';
import { runTool } from '../process/programs.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { print, step } from '../process/terminal.ts';
import { downloadJars, requireTools, toolsToRun } from '../build/toolchain.ts';
import { type Compose, composeOf, envFileOf, findCompose, isWell, keepAsking, withLocalImages } from './compose.ts';
import { envFile } from './compose-file.ts';
import { answersAt, podmanSocket, startPodman } from './engine.ts';
import { makeImages } from './images.ts';
import { requireParts } from './requirements.ts';

/** Longer than the graces of the file, one after the other. */
const patienceMs = { toStart: 600_000, toStop: 180_000 };

async function settingsOf(instanceDir: InstanceDir): Promise<Record<string, string>> {
  const file = envFileOf(instanceDir);
  if (!existsSync(file)) writeComposeEnv(file, { gateway: env.port, mail: await portNear(env.port + 1) });
  return envFile(readFileSync(file, 'utf8'));
}

const hasDocker = (): Promise<boolean> =>
  env.dockerHost === undefined ? answersAt('/var/run/docker.sock') : Promise.resolve(true);

/** Compose with images that are made of what is here: by Docker, or by Podman on bases of this machine. */
async function prepareCompose(supervisor: Supervisor, instanceDir: InstanceDir): Promise<Compose> {
  const { signal } = supervisor;
  if (await hasDocker()) {
    const compose = await composeOf(instanceDir, env.dockerHost);
    const build = [...compose.args, 'build'];
    await step('The images are built', () => runTool(compose.command, build, { signal, variables: compose.variables }));
    return compose;
  }
  await requireParts(['up'], findCompose);
  const compose = await composeOf(instanceDir, podmanSocket(instanceDir));
  await requireTools(toolsToRun(), signal);
  await downloadJars(signal);
  await makeImages(signal);
  await startPodman(supervisor, instanceDir);
  void keepAsking(instanceDir, signal);
  return withLocalImages(compose);
}

async function start(supervisor: Supervisor, instanceDir: InstanceDir): Promise<void> {
  const settings = await settingsOf(instanceDir);
  const compose = await prepareCompose(supervisor, instanceDir);
  const { CARAVAN_PORT: port = '8080', PUBLIC_URL: url = '', MAIL_PORT: mailPort = '8081' } = settings;
  const isReady = async () => (await isReadyAt(`http://127.0.0.1:${port}`)) && (await isWell(compose));
  await step('Everything in containers is well', () =>
    supervisor.start({
      name: 'compose',
      kind: 'service',
      runsContainers: true,
      command: npmProgram('tsx'),
      args: [join(root, 'tools/caravan/containers/compose-main.ts'), compose.command, ...compose.args],
      marker: envFileOf(instanceDir),
      stopSignal: 'SIGTERM',
      variables: compose.variables,
      patienceMs,
      isReady,
    }),
  );
  print(`Caravan is at ${url}`);
  if (settings['COMPOSE_PROFILES']?.includes('mail') === true) print(`Mail is read at http://127.0.0.1:${mailPort}`);
  process.stdout.write('\nSign up there; docs/operate/compose.md says how to become an admin.\n');
  process.stdout.write('`./caravan logs compose` tells what they do. Ctrl-C stops everything; the data stays.\n');
}

/** The product of infra/docker-compose.yml, until somebody asks to stop. */
export function upInContainers(instanceDir: InstanceDir): Promise<number> {
  return inForeground(instanceDir, async (supervisor) => {
    await start(supervisor, instanceDir);
    return 'stay';
  });
}
