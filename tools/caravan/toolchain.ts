import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from './env.ts';
import { contentHash, isDone, markDone } from './stamps.ts';
import { root, shared } from './paths.ts';
import { print, step } from './progress.ts';
import { runTool } from './programs.ts';
import { UserError } from './user-error.ts';

/** A program that the machine must have, and the Debian package that brings it. */
export type Tool = { name: string; commands: string[]; debianPackage: string; homebrew: string };

/** What the launcher needs from the machine besides Node. */
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
  psql: { name: 'psql', commands: ['psql'], debianPackage: 'postgresql-client', homebrew: 'libpq' },
} satisfies Record<string, Tool>;

const emojiFont = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';

/** Where a command is found on the PATH. */
export function whereIs(command: string): string | undefined {
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

/** Which of a tool's commands this machine has. */
export const found = (tool: Tool): string | undefined =>
  tool.commands.find((command) => whereIs(command) !== undefined);

/** The one command that brings tools on this machine. */
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

/**
 * Makes sure that the machine has these tools. Root (or passwordless sudo) on Debian and Ubuntu installs what is
 * missing; elsewhere this fails before anything is done, with the one command that brings them.
 */
export async function requireTools(wanted: readonly Tool[], signal: AbortSignal): Promise<void> {
  const missing = wanted.filter((tool) => found(tool) === undefined);
  const needsEmojis = wanted.includes(tools.chromium) && process.platform === 'linux' && !existsSync(emojiFont);
  const canInstall = missing.length > 0 || needsEmojis ? await installer(signal) : undefined;
  if (canInstall === undefined) {
    if (missing.length === 0) return;
    throw new UserError(
      `Missing on this machine: ${missing.map(({ name }) => name).join(', ')}.`,
      `Run: ${installCommand(missing)}`,
    );
  }
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (needsEmojis) packages.push('fonts-noto-color-emoji');
  print(`Installing with apt-get: ${packages.join(', ')} …`);
  await step(`Installed ${packages.join(', ')}`, () => install(packages, canInstall, signal));
}

/** What `up` needs: Maven only while the jars are not there. */
export function toolsToRun(): Tool[] {
  return isDone('jars', jarsHash()) ? [tools.java, tools.redis] : [tools.java, tools.redis, tools.maven];
}

const pom = join(root, 'infra/local/pom.xml');
const jarsHash = (): string =>
  contentHash([pom, join(root, 'infra/local/kafka/pom.xml'), join(root, 'infra/local/s3proxy/pom.xml')]);

/** Brings the jars of Kafka and S3Proxy that infra/local/pom.xml pins, unless they are there. */
export async function downloadJars(signal: AbortSignal): Promise<void> {
  const hash = jarsHash();
  if (isDone('jars', hash)) return;
  print('Downloading Kafka and S3Proxy from Maven Central (about 100 MB) …');
  const goal = ['-B', '-q', '-ntp', '-f', pom, 'dependency:copy-dependencies', `-Djars=${shared.jars}`];
  await step('Kafka and S3Proxy are here', () => runTool('mvn', goal, { signal }));
  markDone('jars', hash);
}
