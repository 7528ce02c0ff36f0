import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const folders = (process.env['PATH'] ?? '').split(delimiter);
const program = ['redis-server', 'valkey-server'].find((name) =>
  folders.some((folder) => existsSync(join(folder, name))),
);

/** A Redis of one suite's own, which may be killed. */
export type OwnRedis = {
  readonly url: string;
  kill(): Promise<void>;
  /** Again, on the same port; with what `save` left, or empty. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a Redis on a free port; it forgets everything but what a `SAVE` wrote down. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'caravan-redis-'));
  const port = await freePort();
  let server = await serve(port, folder);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => end(server),
    restart: async () => {
      server = await serve(port, folder);
    },
    close: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(port: number, folder: string): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  if (program === undefined) throw new Error('There is no redis-server on the PATH');
  const server = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Redis ended with ${code}`)));
    server.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('Ready to accept connections')) resolve();
    });
  });
  server.removeAllListeners('exit');
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
