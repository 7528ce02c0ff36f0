import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

export type MigrationPlan = {
  readonly databaseUrl: string;
  readonly folders: readonly string[];
  readonly runtimeRole: string;
};

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { migration_name: string; checksum: string; finished_at: Date | null; rolled_back_at: Date | null };

const prismaLock = 72707369;

/** Repeatable, also by several processes at once; keeps Prisma's own records. Answers with the names applied. Throws `MigrationFailed`. */
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

/** Rows of its own tables, everything in transit, and the logs only by appending. Runs after every migration. */
export async function grantRuntimeRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname in ('public', 'msg', 'es', 'audit')`,
  );
  const has = new Set(rows.map(({ nspname }) => nspname));
  const to = pg.escapeIdentifier(role);
  const grants = ['public', 'msg'].filter((schema) => has.has(schema)).flatMap((schema) => rowsOf(schema, to));
  if (has.has('es')) grants.push(...log(to));
  if (has.has('audit')) grants.push(...auditLog(to));
  // In one message, so that nobody sees a role between two grants.
  await client.query(['begin', ...grants, 'commit'].join(';\n'));
}

const rowsOf = (schema: string, role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `grant usage, select on all sequences in schema ${schema} to ${role}`,
  ...(schema === 'public' ? [`revoke all on public._prisma_migrations from ${role}`] : []),
];

const log = (role: string): string[] => [
  `grant usage on schema es to ${role}`,
  `revoke all on es.events, es.projections, es.epochs from ${role}`,
  `grant select, insert on es.events to ${role}`,
  `grant select on es.projections, es.epochs to ${role}`,
  `grant select, insert, update, delete on es.outbox, es.refused, es.published, es.requests to ${role}`,
  `grant usage, select on all sequences in schema es to ${role}`,
];

const auditLog = (to: string): string[] => [
  `grant usage on schema audit to ${to}`,
  `revoke all on all tables in schema audit from ${to}`,
  `grant select, insert on all tables in schema audit to ${to}`,
  'revoke all on all functions in schema audit from public',
  `grant execute on all functions in schema audit to ${to}`,
];
