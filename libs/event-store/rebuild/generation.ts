import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Tx } from '../core/event-store.ts';
import type { OpenTransaction } from '../postgres/open-transaction.ts';
import { withSystem } from '../postgres/connections.ts';

type Blueprint = {
  readonly create: readonly string[];
  readonly complete: readonly string[];
};

export class NotRebuildable extends Error {
  override readonly name = 'NotRebuildable';
}

const id = (...parts: readonly string[]): string => parts.map((part) => pg.escapeIdentifier(part)).join('.');

/** Empty copies of the tables of schema public in `schema`: columns, keys, policies and grants. Answers what completes them: indexes, triggers. */
export async function createGeneration(tx: Tx, schema: string, tables: readonly string[]): Promise<string[]> {
  await refuseDependents(tx, tables);
  await tx.query(`drop schema if exists ${id(schema)} cascade`);
  await tx.query(`create schema ${id(schema)}`);
  const blueprints = await Promise.all(tables.map((table) => blueprintOf(tx, schema, table)));
  await tx.query(`set local search_path = ${id(schema)}, public`);
  for (const statement of blueprints.flatMap(({ create }) => create)) await tx.query(statement);
  return blueprints.flatMap(({ complete }) => complete);
}

/** Puts the copies in the place of the tables; needs their ACCESS EXCLUSIVE locks. */
export async function replaceTables(tx: Tx, schema: string, tables: readonly string[]): Promise<void> {
  await tx.query(`drop table ${tables.map((table) => id('public', table)).join(', ')}`);
  for (const table of tables) await tx.query(`alter table ${id(schema, table)} set schema public`);
  await tx.query(`drop schema ${id(schema)}`);
}

async function refuseDependents(tx: Tx, tables: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ dependent: string }>(
    `with own as (
       select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relname = any($1) and c.relkind = 'r')
     select 'table ' || t || ', which does not exist' as dependent from unnest($1::text[]) t
       where t not in (select relname from own)
     union all select 'foreign key ' || conname || ' of ' || conrelid::regclass from pg_constraint
       where contype = 'f' and confrelid in (select oid from own) and conrelid not in (select oid from own)
     union all select 'view or rule ' || r.ev_class::regclass from pg_rewrite r join pg_depend d on d.objid = r.oid
       where d.classid = 'pg_rewrite'::regclass and d.refobjid in (select oid from own)
     union all select 'sequence ' || d.objid::regclass || ' (an identity column would do)' from pg_depend d
       where d.deptype = 'a' and d.classid = 'pg_class'::regclass and d.refobjid in (select oid from own)
         and exists (select from pg_class s where s.oid = d.objid and s.relkind = 'S')`,
    [tables],
  );
  if (rows.length > 0)
    throw new NotRebuildable(
      `${tables.join(', ')} cannot be replaced because of ${rows.map(({ dependent }) => dependent).join(', ')}`,
    );
}

async function blueprintOf(tx: Tx, schema: string, table: string): Promise<Blueprint> {
  const copy = id(schema, table);
  const old = id('public', table);
  const lines = async (sql: string): Promise<string[]> => {
    const { rows } = await tx.query<{ line: string }>(sql, [old]);
    return rows.map(({ line }) => line);
  };
  const keys = await lines(
    `select format('alter table ${copy} add constraint %I %s', conname, pg_get_constraintdef(oid)) as line
     from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'x') order by conname`,
  );
  const foreignKeys = await lines(
    `select format('alter table ${copy} add constraint %I %s', conname, pg_get_constraintdef(oid)) as line
     from pg_constraint where conrelid = $1::regclass and contype = 'f' order by conname`,
  );
  const indexes = async (isUnique: boolean): Promise<string[]> =>
    lines(
      `select replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON ${schema}.') as line
       from pg_index i where indrelid = $1::regclass and indisunique = ${isUnique}
         and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))`,
    );
  const triggers = await lines(
    `select replace(pg_get_triggerdef(oid), ' ON public.', ' ON ${schema}.') as line
     from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by tgname`,
  );
  return {
    create: [
      `create table ${copy} (like ${old} including all excluding indexes)`,
      ...keys,
      ...(await indexes(true)),
      ...(await lines(storageOf(copy))),
      ...(await lines(securityOf(copy))),
      ...(await lines(grantsOf(copy))),
    ],
    complete: [...(await indexes(false)), ...foreignKeys, ...triggers, `analyze ${copy}`],
  };
}

const storageOf = (copy: string): string =>
  `select format('alter table ${copy} set (%s)', array_to_string(reloptions, ', ')) as line
   from pg_class where oid = $1::regclass and reloptions is not null`;

const securityOf = (copy: string): string =>
  `select line from (
     select 1 as nth, 'alter table ${copy} enable row level security' as line
       from pg_class where oid = $1::regclass and relrowsecurity
     union all select 2, 'alter table ${copy} force row level security'
       from pg_class where oid = $1::regclass and relforcerowsecurity
     union all select 3, format('create policy %I on ${copy} as %s for %s to %s%s%s', polname,
         case when polpermissive then 'permissive' else 'restrictive' end,
         case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
         (select string_agg(case when r = 0 then 'public' else quote_ident(pg_get_userbyid(r)) end, ', ') from unnest(polroles) r),
         ' using (' || pg_get_expr(polqual, polrelid) || ')',
         ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
       from pg_policy where polrelid = $1::regclass) s order by nth`;

const grantsOf = (copy: string): string =>
  `select format('grant %s on ${copy} to %s%s', a.privilege_type,
       case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end,
       case when a.is_grantable then ' with grant option' else '' end) as line
   from pg_class c, aclexplode(c.relacl) a where c.oid = $1::regclass and a.grantee <> c.relowner
   union all
   select format('grant %s (%I) on ${copy} to %s', a.privilege_type, t.attname,
       case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
   from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = $1::regclass and t.attacl is not null`;

/** How long a writer may have to wait because a rebuild queues for a lock; shorter than PostgreSQL takes to call it a deadlock. */
const lockTimeoutMillis = 700;
/** Every third try waits longer: an autovacuum of a large table gives way only to who has waited for a second. */
const longLockTimeoutMillis = 1_500;
const maxLockAttempts = 30;

/** Gives way after a moment and tries again: a command that waits behind a waiting lock waits for nothing. */
export async function lockedPatiently<Result>(
  pool: pg.Pool,
  work: (tx: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  for (let left = maxLockAttempts; ; left--) {
    try {
      return await withSystem(pool, async (tx) => {
        tx.defer(`set local lock_timeout = ${left % 3 === 1 ? longLockTimeoutMillis : lockTimeoutMillis}`);
        return work(tx);
      });
    } catch (error) {
      const gaveWay = error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
      if (!gaveWay || left <= 1) throw error;
      await pause(200 + Math.random() * 300);
    }
  }
}

/** The last position. Under the lock no append is under way, so nothing can appear at or before it later. */
export async function settledEnd(tx: OpenTransaction): Promise<number> {
  await tx.query('lock table es.events in share mode');
  const { rows } = await tx.query<{ end: number | null }>('select max(pos) as end from es.events');
  return rows[0]?.end ?? 0;
}

/** Throws when another process works on `name`, which this one holds until `work` has ended. */
export async function onlyOne<Result>(pool: pg.Pool, name: string, work: () => Promise<Result>): Promise<Result> {
  const guard = await pool.connect();
  try {
    const { rows } = await guard.query<{ isMine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 3)) as is_mine',
      [name],
    );
    if (!rows[0]?.isMine) throw new Error(`${name} is being rebuilt already`);
    return await work();
  } finally {
    // The server notices the end of a session a little later: whoever tries again at once would be refused.
    await guard.query('select pg_advisory_unlock_all()').catch(() => undefined);
    guard.release(true);
  }
}
