import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from '../process/env.ts';
import { contentHash, isDone, markDone } from '../process/stamps.ts';
import { root, shared } from '../process/paths.ts';
import { print, step, UserError } from '../process/terminal.ts';
import { runTool } from '../process/programs.ts';
import { checksumsFile, checksumsIn, verifyJars } from './supply-chain/jars.ts';

export type Tool = { name: string; commands: string[]; debianPackage: string; homebrew: string };

export const tools = {
  java: {
    name: 'Java 17',
    commands: ['java'],
    debianPackage: 'openjdk-17-jre-headless',
    homebrew: 'openjdk@17',
  },
  maven: { name: 'Maven', commands: ['mvn'], debianPackage: 'maven', homebrew: 'maven' },
  redis: {
    name: 'Redis',
    commands: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
    homebrew: 'redis',
  },
  chromium: { name: 'Chromium', commands: ['chromium'], debianPackage: 'chromium', homebrew: '--cask chromium' },
  /** Chromium without its windows, from the same source and of the same version; a third less work. */
  headlessShell: {
    name: "Chromium's headless shell",
    commands: ['chromium-headless-shell'],
    debianPackage: 'chromium-headless-shell',
    homebrew: '',
  },
  firefox: { name: 'Firefox', commands: ['firefox-esr'], debianPackage: 'firefox-esr', homebrew: '--cask firefox' },
  webkit: {
    name: 'WebKit',
    commands: ['WebKitWebDriver'],
    debianPackage: 'webkit2gtk-driver xvfb',
    // No package of Homebrew brings WebKit's own driver.
    homebrew: '',
  },
  psql: { name: 'psql', commands: ['psql'], debianPackage: 'postgresql-client', homebrew: 'libpq' },
  wrk: { name: 'wrk', commands: ['wrk'], debianPackage: 'wrk', homebrew: 'wrk' },
  nginx: { name: 'nginx', commands: ['nginx'], debianPackage: 'nginx-light', homebrew: 'nginx' },
} satisfies Record<string, Tool>;

const emojiFont = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';

function whereIs(command: string): string | undefined {
  return env.path
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Where the program of a tool lies. */
export const pathOf = (tool: Tool): string | undefined => tool.commands.map(whereIs).find((file) => file !== undefined);

export const findTool = (tool: Tool): string | undefined =>
  tool.commands.find((command) => whereIs(command) !== undefined);

export function installCommand(missing: readonly Tool[]): string {
  if (process.platform === 'darwin') return `brew install ${missing.map(({ homebrew }) => homebrew).join(' ')}`;
  const names = missing.map(({ debianPackage }) => debianPackage).join(' ');
  if (whereIs('apt-get') !== undefined) return `sudo apt-get install -y ${names}`;
  return `install ${missing.map(({ name }) => name).join(', ')} with the package manager of this system`;
}

async function installer(signal: AbortSignal): Promise<string[] | undefined> {
  if (whereIs('apt-get') === undefined) return undefined;
  if (process.getuid?.() === 0) return [];
  if (whereIs('sudo') === undefined) return undefined;
  const isPasswordless = await runTool('sudo', ['-n', 'true'], { signal }).then(
    () => true,
    () => false,
  );
  return isPasswordless ? ['sudo', '-n'] : undefined;
}

async function install(packages: string[], before: string[], signal: AbortSignal): Promise<void> {
  const aptGet = [...before, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq'];
  const run = (...args: string[]) => runTool('env', [...aptGet, ...args], { signal });
  await run('update');
  await run('install', '-y', '--no-install-recommends', ...packages);
}

/** Installs those that are missing where root or passwordless sudo allows; elsewhere names the command that brings them. */
export async function installOptional(wanted: readonly Tool[], signal: AbortSignal): Promise<void> {
  const missing = wanted.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) return;
  if ((await installer(signal)) === undefined)
    print(`Nothing runs in ${missing.map(({ name }) => name).join(' and ')}. Run: ${installCommand(missing)}`);
  else await requireTools(missing, signal);
}

/** Installs missing tools where root or passwordless sudo allows; elsewhere fails with the command that brings them. */
export async function requireTools(wanted: readonly Tool[], signal: AbortSignal): Promise<void> {
  const missing = wanted.filter((tool) => findTool(tool) === undefined);
  const needsEmojis = wanted.includes(tools.chromium) && process.platform === 'linux' && !existsSync(emojiFont);
  const canInstall = missing.length > 0 || needsEmojis ? await installer(signal) : undefined;
  if (canInstall === undefined) {
    if (missing.length === 0) return;
    throw new UserError(
      `Missing on this machine: ${missing.map(({ name }) => name).join(', ')}.`,
      `Run: ${installCommand(missing)}`,
    );
  }
  const packages = missing.flatMap(({ debianPackage }) => debianPackage.split(' '));
  if (needsEmojis) packages.push('fonts-noto-color-emoji');
  print(`Installing with apt-get: ${packages.join(', ')} …`);
  await step(`Installed ${packages.join(', ')}`, () => install(packages, canInstall, signal));
}

/** Maven only while the jars are not there. */
export function toolsToRun(): Tool[] {
  return isDone('jars', jarsHash()) ? [tools.java, tools.redis] : [tools.java, tools.redis, tools.maven];
}

const pom = join(root, 'infra/local/pom.xml');
const jarsHash = (): string =>
  contentHash([pom, join(root, 'infra/local/kafka/pom.xml'), join(root, 'infra/local/s3proxy/pom.xml')]);

/** Every start looks at what it is about to run, also when it was downloaded long ago. Throws `UserError`. */
export async function downloadJars(signal: AbortSignal): Promise<void> {
  const hash = jarsHash();
  if (!isDone('jars', hash) || !existsSync(shared.jars)) await copyJars(signal);
  verifyJars(shared.jars, checksumsIn(readFileSync(checksumsFile, 'utf8')));
  markDone('jars', hash);
}

async function copyJars(signal: AbortSignal): Promise<void> {
  print('Downloading Kafka and S3Proxy from Maven Central (about 100 MB) …');
  // The launcher's shell script may have begun; then this waits for it.
  const bringJars = join(root, 'infra/local/bring-jars');
  await step('Kafka and S3Proxy are here', () => runTool(bringJars, [shared.jars], { signal }));
}
