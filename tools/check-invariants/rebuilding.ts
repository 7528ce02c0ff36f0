import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import type { AnyProjection } from '@caravan/event-store/rebuild/rebuild';
import { type ReadModel, schemaOf } from '@caravan/messaging/consumer/read-model';

/** A database of a service, and who may change its tables. */
type Database = { readonly pool: ReturnType<typeof createPatientPool>; readonly ownerUrl: string };

/** Every row of these tables, as text. */
export function rowsOf({ pool }: Pick<Database, 'pool'>, tables: readonly string[]): Promise<Record<string, string[]>> {
  return withSystem(pool, async (tx) => {
    const found: [string, string[]][] = [];
    for (const table of tables) {
      const { rows } = await tx.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t order by 1`);
      found.push([table, rows.map(({ row }) => row)]);
    }
    return Object.fromEntries(found);
  });
}

export const generationsOf = async ({ pool }: Pick<Database, 'pool'>) =>
  (await pool.query<{ nspname: string }>(`select nspname from pg_namespace where starts_with(nspname, 'rebuild_')`))
    .rows;

export async function asOwner({ ownerUrl }: Pick<Database, 'ownerUrl'>, ...statements: string[]): Promise<void> {
  const pool = createPatientPool(ownerUrl, { max: 1 });
  try {
    await withSystem(pool, async (tx) => {
      for (const statement of statements) await tx.query(statement);
    });
  } finally {
    await pool.end();
  }
}

/** A new table of the read model and the old ones of the projection: their rebuilds get no further before they are let go. */
export async function hold(
  { ownerUrl }: Pick<Database, 'ownerUrl'>,
  model: ReadModel,
  projection: AnyProjection | undefined,
) {
  const pool = createPatientPool(ownerUrl, { max: 2 });
  const client = await pool.connect();
  await client.query(
    `set idle_in_transaction_session_timeout = 0; begin; lock table ${schemaOf(model)}.${model.tables[0] ?? ''} in share mode`,
  );
  if (projection) await client.query(`lock table ${projection.tables.join(', ')} in access share mode`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return {
    /** Kinds of locks that somebody waits for: to write the new table and, once they are made, to replace the old ones. */
    waiting: async () => {
      const sql = 'select distinct mode from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))';
      return (await pool.query<{ mode: string }>(sql, [rows[0]?.pid])).rows.map(({ mode }) => mode);
    },
    letGo: () => {
      client.release(true);
      return pool.end();
    },
  };
}
