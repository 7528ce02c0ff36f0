import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokersAt, type ObjectStore, objectStoreAt, startKafka, startS3 } from './java-servers.ts';
import { bundleOf, type InstanceDir } from '../process/paths.ts';
import { answers, freePort, portNear } from '../process/ports.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import type { Secrets } from './instance-files.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { step } from '../process/terminal.ts';

/** What suites need to reach real servers; libs/service-kit/testing/servers.ts reads it. */
export type TestServers = { postgresAdmin: string; kafka: string[]; redis: string; s3: ObjectStore };

/** Everything in Redis can be rebuilt, so nothing is logged per write: it keeps a snapshot every five minutes. */
async function startRedis(supervisor: Supervisor, instanceDir: InstanceDir, secrets: Secrets): Promise<string> {
  const data = join(instanceDir.data, 'redis');
  const settingsFile = join(instanceDir.run, 'redis.conf');
  const port = await freePort();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: redisQuoted(data),
    requirepass: secrets.redis,
    appendonly: 'no',
    save: '300 1',
    // BullMQ's jobs must never be evicted.
    'maxmemory-policy': 'noeviction',
    // The command line stays as it was started: by it an orphan is recognised.
    'set-proc-title': 'no',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  await supervisor.start({
    name: 'redis',
    kind: 'server',
    command: 'redis-server',
    args: [settingsFile],
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, `AUTH ${secrets.redis}\r\n`, '+OK'),
  });
  return `redis://:${secrets.redis}@127.0.0.1:${port}`;
}

/** A value in double quotes as redis.conf takes it. */
export const redisQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

export type MailAddresses = { smtp: string; http: string };

export async function mailAddresses(gatewayPort: number): Promise<MailAddresses> {
  const http = await portNear(gatewayPort + 1);
  return { smtp: `smtp://127.0.0.1:${await freePort()}`, http: `http://127.0.0.1:${http}` };
}

/** Starts the mailbox, which takes every mail, delivers none and keeps them with the data. */
export async function startMailbox(
  supervisor: Pick<Supervisor, 'start'>,
  instanceDir: InstanceDir,
  { smtp, http }: MailAddresses,
): Promise<void> {
  const smtpPort = new URL(smtp).port;
  const httpPort = new URL(http).port;
  const folder = join(instanceDir.data, 'mail');
  await supervisor.start({
    name: 'mailbox',
    kind: 'server',
    command: process.execPath,
    args: [bundleOf('mailbox'), folder, smtpPort, httpPort],
    marker: folder,
    stopSignal: 'SIGTERM',
    isReady: () =>
      answers(
        Number(httpPort),
        `HEAD / HTTP/1.1\r\nHost: 127.0.0.1:${httpPort}\r\nConnection: close\r\n\r\n`,
        'HTTP/1.1 200',
      ),
  });
}

export type ServersUse = {
  isDurable: boolean;
  isMeasured?: boolean;
  /** Resolves when the jars are there; absent when no download was started. */
  jars?: Promise<void>;
};

type StartingServers = {
  postgres: Promise<Postgres>;
  kafka: Promise<string[]>;
  redis: Promise<string>;
  s3: Promise<ObjectStore>;
  /** Where they will be once they are ready. */
  places: Promise<{ kafka: string[]; s3: ObjectStore }>;
};

export function startServers(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  secrets: Secrets,
  use: ServersUse,
): StartingServers {
  const kafkaPort = freePort();
  const s3Port = freePort();
  const { isMeasured, jars = Promise.resolve() } = use;
  const kafka = async () => startKafka(supervisor, instanceDir, { port: await kafkaPort, isMeasured });
  const s3 = async () => startS3(supervisor, instanceDir, { port: await s3Port, secrets });
  const servers = {
    postgres: step('PostgreSQL is ready', () => startPostgres(supervisor, instanceDir, secrets, use)),
    kafka: jars.then(() => step('Kafka is ready', kafka)),
    redis: step('Redis is ready', () => startRedis(supervisor, instanceDir, secrets)),
    s3: jars.then(() => step('The object store is ready', s3)),
    places: Promise.all([kafkaPort, s3Port]).then(([broker, store]) => ({
      kafka: brokersAt(broker),
      s3: objectStoreAt(store, secrets),
    })),
  };
  // Each is awaited where it is needed; until then a failure must not count as unhandled.
  for (const server of Object.values(servers)) server.catch(() => undefined);
  return servers;
}
