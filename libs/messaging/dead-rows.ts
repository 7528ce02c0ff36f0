import type { Tx } from '@caravan/event-store/event-store';

/** The transaction with the oldest snapshot of a database: rows that were deleted since then cannot go. */
export type OldestSnapshot = {
  readonly pid: number;
  /** What the session calls itself; empty where it does not. */
  readonly application: string;
  readonly role: string;
  readonly state: string;
  readonly ageSeconds: number;
};

/** Deleted rows of a table that are still there. */
export type DeadRows = { readonly table: string; readonly rows: number };

/** The oldest snapshot that anybody but the asking session holds in this database, of those that its owner may see. */
export async function oldestSnapshot(tx: Tx): Promise<OldestSnapshot | undefined> {
  const { rows } = await tx.query<OldestSnapshot>(
    'select pid, application, role, state, age_seconds as "ageSeconds" from es.oldest_snapshot()',
  );
  return rows[0];
}

/** The tables with so many deleted rows at least, most first. */
export async function deadRows(tx: Tx, atLeastRows: number): Promise<DeadRows[]> {
  const { rows } = await tx.query<DeadRows>(
    `select schemaname || '.' || relname as table, n_dead_tup::float8 as rows from pg_stat_user_tables
     where n_dead_tup >= $1 order by n_dead_tup desc limit 20`,
    [atLeastRows],
  );
  return rows;
}
