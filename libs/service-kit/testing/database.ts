import { randomBytes } from 'node:crypto';
import { migrate } from '@caravan/event-store/migrate';
import pg from 'pg';
import { testServers } from './servers.ts';

/** A database of one suite, with the roles of production: an owner who migrates and a runtime role bound by policies. */
export type TestDatabase = {
  /** As the runtime role. */
  readonly url: string;
  readonly ownerUrl: string;
  readonly drop: () => Promise<void>;
};

type Look = (database: { readonly url: string; readonly folders: readonly string[] }) => Promise<void>;
const looks: Look[] = [];
let isLookedAt = true;

/** Looks at each test database before it is dropped; what this throws fails the suite. */
export function beforeDatabaseDrops(look: Look): void {
  looks.push(look);
}

/** For a suite that writes rows as no event would: its databases are dropped without a look at them. Say why. */
export function dropWithoutLook(_why: string): void {
  isLookedAt = false;
}

/** Creates a database of its own and applies the migration folders in the given order. Drop it after the suite. */
export async function createTestDatabase({ folders }: { folders: readonly string[] }): Promise<TestDatabase> {
  const admin = testServers().postgresAdmin;
  const name = `t_${randomBytes(6).toString('hex')}`;
  const [owner, runtime] = [`${name}_owner`, `${name}_rw`];
  await asAdmin(admin, [
    `create role ${owner} login password 'test' nosuperuser nobypassrls`,
    `create role ${runtime} login password 'test' nosuperuser nobypassrls`,
    `grant ${owner} to current_user`,
    `grant pg_read_all_stats to ${owner}`,
    `create database ${name} owner ${owner} template template0`,
  ]);
  const ownerUrl = addressed(admin, owner, name);
  await migrate({ databaseUrl: ownerUrl, folders, runtimeRole: runtime });
  const url = addressed(admin, runtime, name);
  const gone = [`drop database if exists ${name} with (force)`, `drop role ${runtime}`, `drop role ${owner}`];
  return {
    url,
    ownerUrl,
    drop: async () => {
      try {
        if (isLookedAt) for (const look of looks) await look({ url, folders });
      } finally {
        await asAdmin(admin, gone);
      }
    },
  };
}

function addressed(admin: string, role: string, database: string): string {
  const url = new URL(admin);
  url.username = role;
  url.password = 'test';
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
