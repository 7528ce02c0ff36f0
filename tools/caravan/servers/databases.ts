import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { Client } from '@caravan/event-store/postgres/client';
import { root } from '../process/paths.ts';
import { type Postgres, postgresUrl } from './postgres.ts';
import type { Secrets } from './instance-files.ts';

const owner = 'caravan_owner';
export const databaseOf = (service: ServiceName): string => `caravan_${service}`;
const runtimeRoleOf = (service: ServiceName): string => `caravan_${service}_rw`;

/** Each role has a password of its own, and enters its service's database alone. */
export type DatabasePasswords = { owner: string; runtime: (service: ServiceName) => string };

export const databasePasswords = ({ postgres: { owner, runtime } }: Secrets): DatabasePasswords => ({
  owner,
  runtime: (service) => createHmac('sha256', runtime).update(service).digest('base64url'),
});

export function databaseUrls(
  postgres: Postgres,
  passwords: DatabasePasswords,
  service: ServiceName,
): { runtime: string; owner: string } {
  const database = databaseOf(service);
  return {
    runtime: postgresUrl(postgres, runtimeRoleOf(service), passwords.runtime(service), database),
    owner: postgresUrl(postgres, owner, passwords.owner, database),
  };
}

async function createMissing(client: Client, passwords: DatabasePasswords): Promise<void> {
  const roles = await client.query<{ name: string }>('select rolname as name from pg_roles');
  const databases = await client.query<{ name: string }>('select datname as name from pg_database');
  const existing = new Set([...roles.rows, ...databases.rows].map(({ name }) => name));
  // A role that is there gets its password again, so that one that was changed in the settings counts.
  const ensureRole = async (name: string, password: string): Promise<void> => {
    const verb = existing.has(name) ? 'alter' : 'create';
    await client.query(`${verb} role ${name} login nosuperuser nobypassrls password ${client.escapeLiteral(password)}`);
  };
  await ensureRole(owner, passwords.owner);
  await client.query(`grant pg_read_all_stats to ${owner}`);
  for (const service of serviceNames) {
    const database = databaseOf(service);
    const role = runtimeRoleOf(service);
    await ensureRole(role, passwords.runtime(service));
    if (existing.has(database)) continue;
    await client.query(`create database ${database} owner ${owner}`);
    await client.query(`revoke all on database ${database} from public`);
    await client.query(`grant connect on database ${database} to ${role}`);
  }
}

const sharedMigrations = ['libs/event-store/migrations', 'libs/messaging/migrations'];
const migrationsOf = (service: ServiceName): string => `services/${service}/prisma/migrations`;

/** In the order in which they are applied. */
export const foldersOf = (service: ServiceName): string[] => [...sharedMigrations, migrationsOf(service)];

export const migrationFolders = (): string[] => [...sharedMigrations, ...serviceNames.map(migrationsOf)];

export async function prepareDatabases(postgres: Postgres, passwords: DatabasePasswords): Promise<void> {
  const client = new Client({ connectionString: postgres.superuser });
  await client.connect();
  try {
    await createMissing(client, passwords);
  } finally {
    await client.end();
  }
  const { migrate } = await import('@caravan/event-store/postgres/migrate');
  await Promise.all(
    serviceNames.map((service) =>
      migrate({
        databaseUrl: databaseUrls(postgres, passwords, service).owner,
        folders: foldersOf(service).map((folder) => join(root, folder)),
        runtimeRole: runtimeRoleOf(service),
      }),
    ),
  );
}

/** Opens a connection to Kafka for as long as the work takes. */
export async function withKafka<Result>(brokers: string[], work: (kafka: Kafka) => Promise<Result>): Promise<Result> {
  const { createKafka } = await import('@caravan/messaging/kafka/kafka');
  const silent = (): void => undefined;
  const kafka = createKafka(
    { brokers, clientId: 'caravan' },
    { debug: silent, info: silent, warn: silent, error: silent },
  );
  try {
    return await work(kafka);
  } finally {
    await kafka.close();
  }
}

/** Kafka makes no topic by itself, so a misspelt name is an error. */
export const createTopics = (brokers: string[]): Promise<void> =>
  withKafka(brokers, (kafka) => kafka.ensureTopics(Object.values(topics)));
