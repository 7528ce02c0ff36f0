import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '../process/paths.ts';
import { freePort, until } from '../process/ports.ts';

const execute = promisify(execFile);
const sources = join(root, 'infra/k8s/control-plane');
const program = join(root, '.caravan/containers/control-plane');
const readyWithinMilliseconds = 120_000;

/** An API server as a cluster's, which runs no pod and has no controllers. */
export type ControlPlane = {
  /** Answers what it wrote; fails with what it said. */
  kubectl: (...words: string[]) => Promise<string>;
  /** Hands manifests over, which the server checks strictly. */
  apply: (manifests: string) => Promise<string>;
  close: () => Promise<void>;
};

/** From Go's own proxy, by the versions of go.mod; minutes the first time, nothing afterwards. */
export const buildControlPlane = (): Promise<unknown> =>
  execute('go', ['build', '-o', program, '.'], { cwd: sources, maxBuffer: 32_000_000 });

/** The definitions of an operator's kinds, as they lie in its Go module. */
export async function definitionsOf(module: string, file: string): Promise<string> {
  const { stdout } = await execute('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  const { Dir: folder } = z.object({ Dir: z.string() }).parse(JSON.parse(stdout));
  return readFileSync(join(folder, file), 'utf8');
}

function entrance(folder: string, url: string): string {
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'tokens.csv'), `${token},tester,tester,"system:masters"\n`);
  const file = join(folder, 'kubeconfig.json');
  const settings = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'tester', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester' } }],
    'current-context': 'test',
  };
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

async function untilEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

export async function startControlPlane(): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'caravan-control-plane-'));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'service-accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const ports = [await freePort(), await freePort(), await freePort()].map(String);
  const config = entrance(folder, `https://127.0.0.1:${ports[0]}`);
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(program, [folder, ...ports], { stdio: ['ignore', log, log] });
  const kubectl = async (...words: string[]) => {
    const { stdout } = await execute('kubectl', ['--kubeconfig', config, ...words], { maxBuffer: 32_000_000 });
    return stdout;
  };
  const isReady = () =>
    kubectl('get', '--raw', '/readyz').then(
      (said) => said === 'ok',
      () => false,
    );
  const close = () => untilEnded(child).then(() => rmSync(folder, { recursive: true, force: true }));
  let applied = 0;
  const apply = (manifests: string) => {
    const file = join(folder, `${(applied += 1)}.yaml`);
    writeFileSync(file, manifests);
    return kubectl('apply', '--server-side', '--force-conflicts', '--validate=strict', '--filename', file);
  };
  try {
    await until(isReady, 'The control plane is not ready', { timeoutMs: readyWithinMilliseconds, everyMs: 500 });
  } catch (error) {
    const said = readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n');
    await close();
    throw new Error(`The control plane does not start:\n${said}`, { cause: error });
  }
  return { kubectl, apply, close };
}
