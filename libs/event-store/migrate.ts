import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { grantRuntimeRole } from './grants.ts';

/** A migration could not be applied, or what is recorded does not fit the files; the message says which and what to do. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

export type MigrationPlan = {
  /** The owner of the database. */
  readonly databaseUrl: string;
  /** Prisma-format folders (`<timestamp>_<name>/migration.sql`), applied in the order given. */
  readonly folders: readonly string[];
  /** Gets what a service needs at run time and nothing more; must exist. */
  readonly runtimeRole: string;
};

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { migration_name: string; checksum: string; finished_at: Date | null; rolled_back_at: Date | null };

/** The advisory lock that Prisma's own `migrate deploy` takes. */
const prismaLock = 72707369;

/**
 * Brings a database up to its migrations and grants the runtime role. Safe to repeat and to run from several processes
 * at once; keeps Prisma's own records. Answers with the names it applied. Throws `MigrationFailed`.
 */
export async function migrate({ databaseUrl, folders, runtimeRole }: MigrationPlan): Promise<string[]> {
  const migrations = folders.flatMap(migrationsIn);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [prismaLock]);
    const pending = withoutApplied(migrations, await recorded(client));
    for (const migration of pending) await apply(client, migration);
    await grantRuntimeRole(client, runtimeRole);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

function migrationsIn(folder: string): Migration[] {
  if (!existsSync(folder)) throw new MigrationFailed(`There is no migrations folder ${folder}`);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = join(folder, name, 'migration.sql');
      if (!existsSync(file)) throw new MigrationFailed(`Migration ${name} has no file migration.sql in ${folder}`);
      const sql = readFileSync(file, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

async function recorded(client: pg.Client): Promise<Applied[]> {
  await client.query(`create table if not exists public._prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
    migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
    started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
  const { rows } = await client.query<Applied>(
    'select migration_name, checksum, finished_at, rolled_back_at from public._prisma_migrations where rolled_back_at is null',
  );
  return rows;
}

function withoutApplied(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(applied.map((row) => [row.migration_name, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = byName.get(name);
    if (!row) return true;
    if (!row.finished_at)
      throw new MigrationFailed(
        `Migration ${name} failed earlier and left the database half changed: mend it, then delete its row from _prisma_migrations`,
      );
    if (row.checksum !== checksum)
      throw new MigrationFailed(
        `Migration ${name} was changed after it had been applied: restore the file and put the change into a new migration`,
      );
    return false;
  });
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      `insert into public._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new MigrationFailed(`Migration ${name} failed and nothing of it was kept: ${explain(error, sql)}`, {
      cause: error,
    });
  }
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position === undefined ? undefined : sql.slice(0, Number(error.position)).split('\n').length;
  return `${error.message}${line === undefined ? '' : ` (line ${line} of migration.sql)`}${error.hint ? `. ${error.hint}` : ''}`;
}
