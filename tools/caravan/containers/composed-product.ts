import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeComposeEnv } from '../operate/compose-env.ts';
import { type InstanceDir, instanceDirAt, root } from '../process/paths.ts';
import { freePort } from '../process/ports.ts';
import { askCompose, type Compose, composeOf, envFileOf, projectOf, runCompose, withLocalImages } from './compose.ts';
import { envFile } from './compose-file.ts';
import { podman, podmanSocket } from './engine.ts';

const folder = join(root, '.caravan/test-containers');
const composeDocument = join(root, 'docs/operate/compose.md');
const label = 'com.docker.compose';

type Launcher = { readonly process: ChildProcess; readonly output: () => string };

function launchProduct(port: number): Launcher {
  const variables = { ...process.env, CARAVAN_HOME: folder, CARAVAN_PORT: String(port), DOCKER_HOST: undefined };
  const child = spawn(join(root, 'caravan'), ['up', '--containers'], { cwd: root, env: variables });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  return { process: child, output: () => said };
}

/** What `./caravan up --containers` runs by podman, in a folder of the tests. */
export class ComposedProduct {
  private readonly instanceDir: InstanceDir = instanceDirAt(folder);
  private readonly project = projectOf(this.instanceDir);
  private launcher: Launcher | undefined;

  private constructor(private readonly port: number) {}

  /** Without anything of an earlier run. */
  static async prepare(): Promise<ComposedProduct> {
    const product = new ComposedProduct(await freePort());
    await product.drop();
    product.writeSettings(await freePort());
    return product;
  }

  /** Answers what the launcher said until everything was well. */
  async start(): Promise<string> {
    instanceDirAt(folder);
    const launcher = launchProduct(this.port);
    this.launcher = launcher;
    while (!launcher.output().includes('Ctrl-C stops everything')) {
      if (launcher.process.exitCode !== null) throw new Error(launcher.output());
      await pause(100);
    }
    return launcher.output();
  }

  /** As Ctrl-C does; answers the launcher's exit code. */
  async end(): Promise<number | null> {
    const { process: child } = this.launcher ?? {};
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGINT');
    const [exitCode] = await ended;
    return exitCode;
  }

  get url(): string {
    return this.setting('PUBLIC_URL');
  }

  get mailUrl(): string {
    return `http://127.0.0.1:${this.setting('MAIL_PORT')}`;
  }

  /** An operator's command, as the documents say; answers what it wrote, and what it complained of. */
  operate = async (...words: string[]): Promise<{ wrote: string; complained: string }> => {
    const { stdout, stderr } = await runCompose(await this.compose(), 'run', '--rm', '--no-deps', 'prepare', ...words);
    return { wrote: stdout.trim(), complained: stderr };
  };

  /** Answers what a command inside says; it runs as whoever the container runs as. */
  inside = async (service: string, ...words: string[]): Promise<string> =>
    podman('exec', await this.containerOf(service), ...words);

  /** Where this machine reaches it. */
  async addressOf(service: string): Promise<string> {
    const format = `{{(index .NetworkSettings.Networks "${this.project}_default").IPAddress}}`;
    return podman('inspect', '--format', format, await this.containerOf(service));
  }

  /** How it ended, and after how many seconds. */
  async stop(service: string): Promise<{ exitCode: number; seconds: number }> {
    const from = performance.now();
    await askCompose(await this.compose(), 'stop', service);
    const seconds = (performance.now() - from) / 1_000;
    const exitCode = await podman('inspect', '--format', '{{.State.ExitCode}}', await this.containerOf(service));
    return { exitCode: Number(exitCode), seconds };
  }

  async running(): Promise<string[]> {
    const names = await podman('ps', ...this.own, '--format', `{{index .Labels "${label}.service"}}`);
    return names.split('\n').filter((name) => name !== '');
  }

  async drop(): Promise<void> {
    await this.end();
    for (const [kind, ...force] of [
      ['ps', 'rm', '--force', '--time', '1', '--volumes'],
      ['volume', 'rm', '--force'],
      ['network', 'rm', '--force'],
    ] as const) {
      const list = kind === 'ps' ? ['ps', '--all'] : [kind, 'ls'];
      const ids = (await podman(...list, '--quiet', ...this.own)).split('\n').filter((id) => id !== '');
      if (ids.length > 0) await podman(...(kind === 'ps' ? [] : [kind]), ...force, ...ids);
    }
    rmSync(folder, { recursive: true, force: true });
  }

  /** As the launcher does, and what the documents add for trying the platforms out. */
  private writeSettings(mail: number): void {
    const file = envFileOf(instanceDirAt(folder));
    writeComposeEnv(file, { gateway: this.port, mail });
    const [platforms = ''] = /^STRAVA_CLIENT_ID[\s\S]*?(?=```)/m.exec(readFileSync(composeDocument, 'utf8')) ?? [];
    const settings = readFileSync(file, 'utf8').replace('COMPOSE_PROFILES=mail', 'COMPOSE_PROFILES=mail,platforms');
    writeFileSync(file, settings + platforms.replaceAll('…', () => randomBytes(32).toString('hex')));
  }

  private get own(): string[] {
    return ['--filter', `label=${label}.project=${this.project}`];
  }

  private setting = (name: string): string => envFile(readFileSync(envFileOf(this.instanceDir), 'utf8'))[name] ?? '';

  private compose = async (): Promise<Compose> =>
    withLocalImages(await composeOf(this.instanceDir, podmanSocket(this.instanceDir)));

  private containerOf = (service: string): Promise<string> =>
    podman(
      'ps',
      '--all',
      '--quiet',
      ...this.own,
      '--filter',
      `label=${label}.service=${service}`,
      '--filter',
      `label=${label}.oneoff=False`,
    );
}
