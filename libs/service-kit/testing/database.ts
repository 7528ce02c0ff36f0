import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@caravan/event-store/postgres/migrate';
import { Client } from '@caravan/event-store/postgres/client';
import { testServers } from './servers.ts';

/** A database of one suite, with the roles of production: an owner who migrates and a runtime role bound by policies. */
export type TestDatabase = {
  /** As the runtime role. */
  readonly url: string;
  readonly ownerUrl: string;
  readonly drop: () => Promise<void>;
};

type Look = (database: { readonly url: string; readonly folders: readonly string[] }) => Promise<void>;
let look: Look | undefined;
let isLookedAt = true;

/**
 * Looks at each test database before it is dropped; an error that this throws fails the suite. Each suite begins with
 * this call, and several suites share a process: it ends what the suite before asked for.
 */
export function beforeDatabaseDrops(wanted: Look): void {
  look = wanted;
  isLookedAt = true;
}

/** For a suite that writes rows as no event would: its databases are dropped without a look at them. Say why. */
export function dropWithoutLook(_why: string): void {
  isLookedAt = false;
}

/** Roles of the whole server, as those of a template are in each of its copies. */
const owner = 't_owner';
const runtime = 't_rw';
const templatesLock = 8_012_733;

/** Creates a database of its own with the migration folders applied in the given order. Drop it after the suite. */
export async function createTestDatabase({ folders }: { folders: readonly string[] }): Promise<TestDatabase> {
  const admin = testServers().postgresAdmin;
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asAdmin(admin, async (client) => {
    const template = await migratedTemplate(client, folders);
    await client.query(`create database ${name} owner ${owner} template ${template}`);
  });
  const url = addressOf(admin, runtime, name);
  return {
    url,
    ownerUrl: addressOf(admin, owner, name),
    drop: async () => {
      try {
        if (isLookedAt) await look?.({ url, folders });
      } finally {
        await asAdmin(admin, (client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}

/** Made by the first suite that asks for these migrations: to copy it takes a fraction of the time. */
async function migratedTemplate(client: Client, folders: readonly string[]): Promise<string> {
  const template = `template_${contentOf(folders)}`;
  const isThere = async (table: 'pg_roles' | 'pg_database', column: string, value: string): Promise<boolean> =>
    (await client.query(`select from ${table} where ${column} = $1`, [value])).rows.length > 0;
  await client.query('select pg_advisory_lock($1)', [templatesLock]);
  if (!(await isThere('pg_roles', 'rolname', runtime))) await makeRoles(client);
  if (!(await isThere('pg_database', 'datname', template))) {
    // By another name until it is whole: the process may end before.
    const unfinished = `${template}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} owner ${owner} template template0`);
    await migrate({
      databaseUrl: addressOf(testServers().postgresAdmin, owner, unfinished),
      folders,
      runtimeRole: runtime,
    });
    await client.query(`alter database ${unfinished} rename to ${template}`);
  }
  await client.query('select pg_advisory_unlock($1)', [templatesLock]);
  return template;
}

function contentOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const migration of readdirSync(folder).sort()) {
      const file = join(folder, migration, 'migration.sql');
      if (existsSync(file)) hash.update(`${migration}\n${readFileSync(file, 'utf8')}\n`);
    }
  return hash.digest('hex').slice(0, 24);
}

const makeRoles = (client: Client) =>
  client.query(`
    create role ${owner} login password 'test' nosuperuser nobypassrls;
    create role ${runtime} login password 'test' nosuperuser nobypassrls;
    grant ${owner} to current_user;
    grant pg_read_all_stats to ${owner}`);

function addressOf(admin: string, role: string, database: string): string {
  const url = new URL(admin);
  url.username = role;
  url.password = 'test';
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
