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

/** Passwords of the owner of all databases and of the role that a service runs as. */
export type DatabasePasswords = { owner: string; runtime: (service: ServiceName) => string };

/** The passwords of a local instance: each role has its own. */
export const databasePasswords = ({ postgres: { owner, runtime } }: Secrets): DatabasePasswords => ({
  owner,
  runtime: (service) => createHmac('sha256', runtime).update(service).digest('base64url'),
});

/** How a service reaches its database: as the role it runs as, and as the owner that migrates. */
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

/** Makes the roles and the databases that are missing: each role has its password, and enters its service's database alone. */
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
  // To tell who holds an old snapshot.
  await client.query(`grant pg_read_all_stats to ${owner}`);
  for (const service of serviceNames) {
    const [database, role] = [databaseOf(service), runtimeRoleOf(service)];
    await ensureRole(role, passwords.runtime(service));
    if (existing.has(database)) continue;
    await client.query(`create database ${database} owner ${owner}`);
    await client.query(`revoke all on database ${database} from public`);
    await client.query(`grant connect on database ${database} to ${role}`);
  }
}

/** Creates what is missing of roles and databases, and brings every database up to its migrations. */
export async function prepareDatabases(postgres: Postgres, passwords: DatabasePasswords): Promise<void> {
  const client = new Client({ connectionString: postgres.superuser });
  await client.connect();
  try {
    await createMissing(client, passwords);
  } finally {
    await client.end();
  }
  const { migrate } = await import('@caravan/event-store/migrate');
  const libraries = ['libs/event-store/migrations', 'libs/messaging/migrations'];
  await Promise.all(
    serviceNames.map((service) =>
      migrate({
        databaseUrl: databaseUrls(postgres, passwords, service).owner,
        folders: [...libraries, `services/${service}/prisma/migrations`].map((folder) => join(root, folder)),
        runtimeRole: runtimeRoleOf(service),
      }),
    ),
  );
}
