import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.ts';
import pg from 'pg';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

/** The database was made by a version from before the baselines; nothing is changed in it. */
export class UnreleasedData extends Error {
  override readonly name = 'UnreleasedData';
}

export type MigrationPlan = {
  readonly databaseUrl: string;
  readonly folders: readonly string[];
  readonly runtimeRole: string;
};

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { migrationName: string; checksum: string; finishedAt: Date | null; rolledBackAt: Date | null };

/** The day on which the baselines took the place of all earlier migrations, which no release has had. */
export const baseline = '20260115';

const prismaLock = 72707369;
const appliedRows =
  'select migration_name, checksum, finished_at, rolled_back_at from public._prisma_migrations where rolled_back_at is null';
/** Whoever asks a table behind a migration that waits for it waits too: so it waits shorter than people do. */
const lockTimeoutMilliseconds = 1_000;
const lockTries = 60;
const betweenTriesMilliseconds = 250;
const lockNotAvailable = '55P03';

/** Repeatable, also by several processes at once; keeps Prisma's own records. Answers with the names applied. Throws `MigrationFailed` and `UnreleasedData`. */
export async function migrate({ databaseUrl, folders, runtimeRole }: MigrationPlan): Promise<string[]> {
  const migrations = folders.flatMap(migrationsIn);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await holdLock(client);
    const applied = await recordedMigrations(client);
    refuseUnreleased(applied);
    const pending = withoutApplied(migrations, applied);
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

/** Asks instead of waiting: an index that is made beside writers would wait for whoever waits here. */
async function holdLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isHeld: boolean }>('select pg_try_advisory_lock($1) as is_held', [
      prismaLock,
    ]);
    if (rows[0]?.isHeld === true) return;
    await pause(betweenTriesMilliseconds);
  }
}

async function recordedMigrations(client: pg.Client): Promise<Applied[]> {
  await client.query(`create table if not exists public._prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
    migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
    started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
  const { rows } = await client.query<Applied>(appliedRows);
  return rows;
}

function refuseUnreleased(applied: readonly Applied[]): void {
  if (applied.some((row) => /^\d{14}_/.test(row.migrationName) && row.migrationName < baseline))
    throw new UnreleasedData('This data was made by an unreleased version of Caravan and cannot be upgraded.');
}

function withoutApplied(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(applied.map((row) => [row.migrationName, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = byName.get(name);
    if (!row) return true;
    if (!row.finishedAt)
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

/** What a database lacks of these folders, what it has beyond them, and what broke off; changes nothing. */
export async function migrationsOfDatabase(
  databaseUrl: string,
  folders: readonly string[],
): Promise<Record<'pending' | 'unknown' | 'failed', string[]>> {
  const migrations = folders.flatMap(migrationsIn);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Applied>(appliedRows);
    const known = new Set(migrations.map(({ name }) => name));
    const finished = new Set(rows.filter((row) => row.finishedAt).map((row) => row.migrationName));
    const there = rows.map((row) => row.migrationName);
    return {
      pending: [...known].filter((name) => !there.includes(name)),
      unknown: there.filter((name) => !known.has(name)),
      failed: there.filter((name) => !finished.has(name)),
    };
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  try {
    if (isBesideWriters(sql)) await applyBesideWriters(client, migration);
    else await applyAtOnce(client, migration);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new MigrationFailed(`Migration ${name} failed and nothing of it was kept: ${explain(error, sql)}`, {
      cause: error,
    });
  }
}

async function applyAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMilliseconds}`);
      await client.query(migration.sql);
      await record(client, migration);
      await client.query('commit');
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable || tries === lockTries) throw error;
      await client.query('rollback');
      await pause(betweenTriesMilliseconds);
    }
  }
}

const statementsIn = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Such a migration holds nothing else, and drops first what an attempt that broke off has left. */
const isBesideWriters = (sql: string): boolean =>
  statementsIn(sql).every((statement) => /^(create|drop)\s+(unique\s+)?index\s+concurrently\b/i.test(statement));

async function applyBesideWriters(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of statementsIn(migration.sql)) await client.query(statement);
  await record(client, migration);
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into public._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
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
