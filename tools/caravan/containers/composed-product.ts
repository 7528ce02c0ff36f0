import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeEnvText } from '../compose-env.ts';
import { root } from '../paths.ts';
import { freePort } from '../ports.ts';
import { type ComposeService, envFile, inOrder, readCompose } from './compose-file.ts';
import { lastWords, podman, succeeds } from './engine.ts';
import { imageToRun } from './images.ts';

const project = 'caravan-test';
const containerOf = (service: string): string => `${project}-${service}`;
const patienceSeconds = 120;

const each = (flag: string, values: readonly string[]): string[] => values.flatMap((value) => [flag, value]);

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\\''`)}'`;

/** Podman takes a check as one line for a shell. */
const shellOf = ([kind, ...words]: readonly string[]): string =>
  kind === 'CMD-SHELL' ? words.join(' ') : words.map(quoted).join(' ');

/** What `podman run` is told of a service, so that it runs as Compose would run it. */
export function runArguments(name: string, service: ComposeService): string[] {
  const environment = Object.entries(service.environment).map(([key, value]) => `${key}=${value}`);
  const volumes = service.volumes.map((volume) => (/^[./]/.test(volume) ? volume : `${project}-${volume}`));
  const check = service.healthcheck?.test;
  return [
    ...['--network', `${project}:alias=${name}`],
    ...each('--env', environment),
    ...each('--volume', volumes),
    ...each('--publish', service.ports),
    ...each('--tmpfs', service.tmpfs),
    ...each('--cap-drop', service.cap_drop),
    ...each(
      '--security-opt',
      service.security_opt.map((option) => option.replace('no-new-privileges:true', 'no-new-privileges')),
    ),
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(service.init ? ['--init'] : []),
    ...(service.shm_size === undefined ? [] : ['--shm-size', service.shm_size]),
    ...(check === undefined ? [] : ['--health-cmd', shellOf(check)]),
    // Nobody but the test asks.
    ...['--health-interval', 'disable'],
  ];
}

const commandOf = ({ command = [] }: ComposeService): string[] =>
  typeof command === 'string' ? command.split(' ') : command;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));

type State = { Status: string; ExitCode: number };

const stateOf = async (service: string): Promise<State> =>
  JSON.parse(await podman('inspect', '--format', '{{json .State}}', containerOf(service))) as State;

/** The Compose file's product, of which each part is started when what it needs is there. */
export class ComposedProduct {
  readonly url: string;
  readonly mailUrl: string;
  readonly services: Record<string, ComposeService>;

  private constructor(port: number, mailPort: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.mailUrl = `http://127.0.0.1:${mailPort}`;
    const written = envFile(composeEnvText('Europe/Berlin'));
    const variables = { ...written, PUBLIC_URL: this.url, CARAVAN_PORT: String(port), MAIL_PORT: String(mailPort) };
    this.services = readCompose(readFileSync(join(root, 'infra/docker-compose.yml'), 'utf8'), variables);
  }

  static async prepared(): Promise<ComposedProduct> {
    const product = new ComposedProduct(await freePort(), await freePort());
    await product.drop();
    await podman('network', 'create', project);
    return product;
  }

  async start(): Promise<void> {
    for (const name of inOrder(this.services, ['mail'])) await this.startOne(name);
    for (const name of this.running()) if (name !== 'mail') await this.untilHealthy(name);
  }

  running(): string[] {
    return inOrder(this.services, ['mail']).filter((name) => name !== 'prepare');
  }

  /** An operator's command in a container of its own, which is gone afterwards. */
  async operate(...words: string[]): Promise<string> {
    const service = this.service('prepare');
    return podman('run', '--rm', ...runArguments('operator', service), imageToRun(service.image), ...words);
  }

  /** Answers what a command inside says; it runs as whoever the container runs as. */
  inside = (service: string, ...words: string[]): Promise<string> => podman('exec', containerOf(service), ...words);

  /** Where this machine reaches it. */
  async addressOf(service: string): Promise<string> {
    const format = `{{(index .NetworkSettings.Networks "${project}").IPAddress}}`;
    return podman('inspect', '--format', format, containerOf(service));
  }

  /** How it ended, and after how many seconds. */
  async stop(service: string): Promise<{ exitCode: number; seconds: number }> {
    const from = performance.now();
    const grace = Number.parseInt(this.service(service).stop_grace_period ?? '10', 10);
    await podman('stop', '--time', String(grace), containerOf(service));
    const { ExitCode: exitCode } = await stateOf(service);
    return { exitCode, seconds: (performance.now() - from) / 1_000 };
  }

  async drop(): Promise<void> {
    const names = Object.keys(this.services).map(containerOf);
    await podman('rm', '--force', '--ignore', '--time', '1', '--volumes', ...names);
    const volumes = (await podman('volume', 'ls', '--quiet')).split('\n').filter((name) => name.startsWith(project));
    if (volumes.length > 0) await podman('volume', 'rm', '--force', ...volumes);
    await succeeds(podman('network', 'rm', '--force', project));
  }

  private service(name: string): ComposeService {
    const service = this.services[name];
    if (!service) throw new Error(`The Compose file has no ${name}.`);
    return service;
  }

  private async startOne(name: string): Promise<void> {
    const service = this.service(name);
    for (const [before, { condition }] of Object.entries(service.depends_on)) {
      if (condition === 'service_healthy') await this.untilHealthy(before);
      if (condition === 'service_completed_successfully') await this.untilDone(before);
    }
    const args = ['--detach', '--name', containerOf(name), ...runArguments(name, service)];
    await podman('run', ...args, imageToRun(service.image), ...commandOf(service));
  }

  private async untilHealthy(name: string): Promise<void> {
    const deadline = Date.now() + patienceSeconds * 1_000;
    while (!(await succeeds(podman('healthcheck', 'run', containerOf(name))))) {
      const { Status: status } = await stateOf(name);
      if (status !== 'running' || Date.now() > deadline)
        throw new Error(`${name} is ${status} and not healthy:\n${await lastWords(containerOf(name))}`);
      await pause();
    }
  }

  private async untilDone(name: string): Promise<void> {
    const exitCode = Number(await podman('wait', containerOf(name)));
    if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}:\n${await lastWords(containerOf(name))}`);
  }
}
