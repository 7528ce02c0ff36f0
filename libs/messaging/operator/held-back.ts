import type { Tx } from '@caravan/event-store/core/event-store';

/** The transaction with the oldest snapshot: rows that were deleted since then cannot go. */
export type OldestSnapshot = {
  readonly pid: number;
  readonly application: string;
  readonly role: string;
  readonly state: string;
  readonly ageSeconds: number;
};

export type DeadRows = { readonly table: string; readonly rows: number };

export async function oldestSnapshot(tx: Tx): Promise<OldestSnapshot | undefined> {
  const { rows } = await tx.query<OldestSnapshot>(
    'select pid, application, role, state, age_seconds from es.oldest_snapshot()',
  );
  return rows[0];
}

export type Held = {
  readonly oldest: OldestSnapshot | undefined;
  readonly prepared: readonly { readonly name: string; readonly owner: string; readonly ageSeconds: number }[];
  readonly slots: readonly { readonly name: string; readonly isActive: boolean; readonly bytes: number }[];
};

/** Sessions, prepared transactions and replication slots that keep old rows or the log from going. */
export async function heldBack(tx: Tx): Promise<Held> {
  const prepared = await tx.query<Held['prepared'][number]>(
    `select gid as name, owner::text, extract(epoch from clock_timestamp() - prepared)::float8 as age_seconds
     from pg_prepared_xacts where database = current_database() order by prepared`,
  );
  const slots = await tx.query<Held['slots'][number]>(
    `select slot_name as name, active as is_active, coalesce(pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn), 0)::float8 as bytes
     from pg_replication_slots where database is null or database = current_database() order by slot_name`,
  );
  return { oldest: await oldestSnapshot(tx), prepared: prepared.rows, slots: slots.rows };
}

export async function deadRows(tx: Tx, atLeastRows: number): Promise<DeadRows[]> {
  const { rows } = await tx.query<DeadRows>(
    `select schemaname || '.' || relname as table, n_dead_tup::float8 as rows from pg_stat_user_tables
     where n_dead_tup >= $1 order by n_dead_tup desc limit 20`,
    [atLeastRows],
  );
  return rows;
}
