import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const jars = resolve(import.meta.dirname, '../../../.caravan/jars');

/** A Kafka of one suite's own, which may be killed; it forgives short sessions, so that lost consumers are missed soon. */
export type Broker = {
  readonly address: string;
  /** SIGKILL: what was acknowledged is in the page cache at most. */
  kill(): Promise<void>;
  /** Stops the process until `thaw`: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Again, on the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a broker on a free port with the jars that the launcher has fetched. */
export async function startBroker(): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'caravan-broker-'));
  const file = join(folder, 'server.properties');
  const port = await freePort();
  writeFileSync(file, propertiesOf(join(folder, 'data'), port, await freePort()));
  const format = java(['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', file]);
  const [code] = (await once(format, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Kafka's storage could not be formatted (exit code ${code}).`);
  let server = await serve(file);
  return {
    address: `127.0.0.1:${port}`,
    kill: () => end(server),
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    restart: async () => {
      server = await serve(file);
    },
    close: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(file: string): Promise<ChildProcess> {
  const server = java(['kafka.Kafka', file]);
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`Kafka ended before it served (exit code ${code}).`);
  });
  const ready = new Promise<void>((resolve) => {
    server.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('Kafka Server started')) resolve();
    });
  });
  ended.catch(() => undefined);
  await Promise.race([ready, ended]);
  return server;
}

function java(args: readonly string[]): ChildProcess {
  const archive = join(jars, 'kafka.jsa');
  const shared = existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
  const log = resolve(import.meta.dirname, '../../../infra/local/kafka/log4j2.properties');
  const machine = ['-Xmx384m', '-XX:+UseSerialGC', '-Xshare:auto', '-Xlog:disable', ...shared];
  const settings = [`-Dlog4j2.configurationFile=${log}`, '-cp', join(jars, 'kafka', '*')];
  const child = spawn('java', [...machine, ...settings, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
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

const propertiesOf = (data: string, port: number, controllerPort: number): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 300,
    'broker.session.timeout.ms': 1_500,
    'broker.heartbeat.interval.ms': 300,
    'log.index.size.max.bytes': 1_048_576,
    'log.cleaner.dedupe.buffer.size': 8_388_608,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
