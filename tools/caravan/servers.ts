import { startKafka } from './kafka.ts';
import type { InstanceDir } from './paths.ts';
import { startPostgres } from './postgres.ts';
import type { Postgres } from './postgres.ts';
import type { Supervisor } from './supervisor.ts';
import { step } from './progress.ts';
import { startRedis } from './redis.ts';
import { startS3 } from './s3.ts';
import type { ObjectStore } from './s3.ts';
import type { Secrets } from './secrets.ts';

/** What servers are started for. */
export type ServersUse = {
  /** Whether data must survive a crash of the machine. */
  isDurable: boolean;
  /** Whether their speed counts more than how soon they are there. */
  isMeasured?: boolean;
};

/** The servers of one instance while they start: each is there as soon as its own promise is. */
export type StartingServers = {
  postgres: Promise<Postgres>;
  kafka: Promise<string[]>;
  redis: Promise<string>;
  s3: Promise<ObjectStore>;
};

/** Starts PostgreSQL, Kafka, Redis and the object store at once. */
export function startServers(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  secrets: Secrets,
  use: ServersUse,
): StartingServers {
  const servers = {
    postgres: step('PostgreSQL is ready', () => startPostgres(supervisor, instanceDir, secrets, use)),
    kafka: step('Kafka is ready', () => startKafka(supervisor, instanceDir, use)),
    redis: step('Redis is ready', () => startRedis(supervisor, instanceDir, secrets)),
    s3: step('The object store is ready', () => startS3(supervisor, instanceDir, secrets)),
  };
  // Each is awaited where it is needed; until then a failure must not count as unhandled.
  for (const server of Object.values(servers)) server.catch(() => undefined);
  return servers;
}
