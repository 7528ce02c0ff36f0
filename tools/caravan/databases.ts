import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { Client } from 'pg';
import { root } from './paths.ts';
import { postgresUrl } from './postgres.ts';
import type { Postgres } from './postgres.ts';
import type { Secrets } from './secrets.ts';

const owner = 'caravan_owner';
/** Name of the database of a service. */
export const databaseOf = (service: ServiceName): string => `caravan_${service}`;
const runtimeRoleOf = (service: ServiceName): string => `caravan_${service}_rw`;

const runtimePassword = (secrets: Secrets, service: ServiceName): string =>
  createHmac('sha256', secrets.postgres.runtime).update(service).digest('base64url');

/** How a service reaches its database: as the role it runs as, and as the owner that migrates. */
export function databaseUrls(
  { port }: Postgres,
  secrets: Secrets,
  service: ServiceName,
): { runtime: string; owner: string } {
  const database = databaseOf(service);
  return {
    runtime: postgresUrl(port, runtimeRoleOf(service), runtimePassword(secrets, service), database),
    owner: postgresUrl(port, owner, secrets.postgres.owner, database),
  };
}

/** Makes the roles and the databases that are missing: a service's role can enter its own database alone. */
async function createMissing(client: Client, secrets: Secrets): Promise<void> {
  const roles = await client.query<{ name: string }>('select rolname as name from pg_roles');
  const databases = await client.query<{ name: string }>('select datname as name from pg_database');
  const existing = new Set([...roles.rows, ...databases.rows].map(({ name }) => name));
  const createRole = async (name: string, password: string): Promise<void> => {
    if (existing.has(name)) return;
    await client.query(`create role ${name} login nosuperuser nobypassrls password '${password}'`);
  };
  await createRole(owner, secrets.postgres.owner);
  for (const service of serviceNames) {
    const [database, role] = [databaseOf(service), runtimeRoleOf(service)];
    await createRole(role, runtimePassword(secrets, service));
    if (existing.has(database)) continue;
    await client.query(`create database ${database} owner ${owner}`);
    await client.query(`revoke all on database ${database} from public`);
    await client.query(`grant connect on database ${database} to ${role}`);
  }
}

/** Creates what is missing of roles and databases, and brings every database up to its migrations. */
export async function prepareDatabases(postgres: Postgres, secrets: Secrets): Promise<void> {
  const client = new Client({ connectionString: postgres.superuser });
  await client.connect();
  try {
    await createMissing(client, secrets);
  } finally {
    await client.end();
  }
  const { migrate } = await import('@caravan/event-store/migrate');
  const libraries = ['libs/event-store/migrations', 'libs/messaging/migrations'];
  await Promise.all(
    serviceNames.map((service) =>
      migrate({
        databaseUrl: databaseUrls(postgres, secrets, service).owner,
        folders: [...libraries, `services/${service}/prisma/migrations`].map((folder) => join(root, folder)),
        runtimeRole: runtimeRoleOf(service),
      }),
    ),
  );
}
