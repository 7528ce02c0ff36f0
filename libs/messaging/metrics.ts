import type { Tx } from '@caravan/event-store/event-store';
import type { Kafka } from './kafka-port.ts';
import { type GroupTopics, type Lag, lagOf } from './lag.ts';
import { allShards, fromStart, type OutboxCursor } from './outbox-shards.ts';
import { outboxBacklog, refusedMessages } from './outbox.ts';

type MetricsPort = {
  gauge(options: {
    name: string;
    help: string;
    labels?: readonly string[];
    collect: (gauge: { set(labels: Record<string, string>, value: number): void; reset(): void }) => Promise<void>;
  }): unknown;
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels: Record<string, string>, by: number): void };
  histogram(options: { name: string; help: string; labels?: readonly string[]; buckets: readonly number[] }): {
    observe(labels: Record<string, string>, value: number): void;
  };
};

export type MessagingMetrics = {
  /** The type of each fact that was handed over. */
  relayed(types: readonly string[]): void;
  refused(messages: number): void;
  applied(group: string, ageSeconds: number): void;
  parked(group: string, messages: number): void;
  failed(group: string, kind: string): void;
  replaced(group: string): void;
};

type MessagingState = {
  backlog(): Promise<{ rows: number; oldestAgeSeconds: number }>;
  refused(): Promise<{ messages: number }>;
  parkedKeys(): Promise<{ group: string; keys: number }[]>;
  lag(): Promise<Lag[]>;
  oldestSnapshot(): Promise<OldestSnapshot | undefined>;
  deadRows(): Promise<DeadRows[]>;
};

const ageBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

export function countInto(port: MetricsPort): MessagingMetrics {
  const relayed = port.counter(
    'caravan_outbox_relayed_total',
    'Facts handed to Kafka, by type: what people have done, and what followed from it.',
    ['fact'],
  );
  const refused = port.counter('caravan_outbox_refused_total', 'Messages that Kafka refused for their size.');
  const parked = port.counter('caravan_messages_parked_total', 'Messages parked by a consumer group.', ['group']);
  const failed = port.counter('caravan_batches_failed_total', 'Batches rolled back, by reason.', ['group', 'reason']);
  const replaced = port.counter(
    'caravan_consumer_replacements_total',
    'Clients of Kafka that were replaced because their consumer group had stopped without an error.',
    ['group'],
  );
  const age = port.histogram({
    name: 'caravan_message_age_seconds',
    help: 'Time from the command that caused a message until a consumer group applied it.',
    labels: ['group'],
    buckets: ageBuckets,
  });
  return {
    relayed: (types) => {
      for (const [fact, told] of Map.groupBy(types, String)) relayed.inc({ fact }, told.length);
    },
    refused: (messages) => refused.inc({}, messages),
    applied: (group, ageSeconds) => age.observe({ group }, ageSeconds),
    parked: (group, messages) => parked.inc({ group }, messages),
    failed: (group, reason) => failed.inc({ group, reason }, 1),
    replaced: (group) => replaced.inc({ group }, 1),
  };
}

export function registerState(port: MetricsPort, state: MessagingState): void {
  port.gauge({
    name: 'caravan_outbox_rows',
    help: 'Public messages that wait for Kafka.',
    collect: afresh(async (gauge) => gauge.set({}, (await state.backlog()).rows)),
  });
  port.gauge({
    name: 'caravan_outbox_oldest_age_seconds',
    help: 'Age of the oldest public message that waits for Kafka.',
    collect: afresh(async (gauge) => gauge.set({}, (await state.backlog()).oldestAgeSeconds)),
  });
  port.gauge({
    name: 'caravan_outbox_refused_messages',
    help: 'Messages that Kafka refused for their size, and those that wait behind them.',
    collect: afresh(async (gauge) => gauge.set({}, (await state.refused()).messages)),
  });
  port.gauge({
    name: 'caravan_parked_keys',
    help: 'Keys that stand still because one of their messages could not be applied.',
    labels: ['group'],
    collect: afresh(async (gauge) => {
      for (const { group, keys } of await state.parkedKeys()) gauge.set({ group }, keys);
    }),
  });
  registerLag(port, state);
  registerSnapshots(port, state);
}

function registerLag(port: MetricsPort, state: Pick<MessagingState, 'lag'>): void {
  let pending: Promise<Lag[]> | undefined;
  // Both gauges of one scrape share one query.
  const lagNow = () => (pending ??= state.lag().finally(() => (pending = undefined)));
  port.gauge({
    name: 'caravan_consumer_lag_messages',
    help: 'Messages of a topic that a group has not applied yet.',
    labels: ['group', 'topic'],
    collect: afresh(async (gauge) => {
      for (const { group, topic, messages } of await lagNow()) gauge.set({ group, topic }, messages);
    }),
  });
  port.gauge({
    name: 'caravan_consumer_offset',
    help: 'Offset up to which a group has handled a topic, summed over its partitions; skipped messages count.',
    labels: ['group', 'topic'],
    collect: afresh(async (gauge) => {
      for (const { group, topic, applied } of await lagNow()) gauge.set({ group, topic }, applied);
    }),
  });
}

export function registerProgress(
  port: Pick<MetricsPort, 'gauge'>,
  withoutProgress: () => readonly { readonly group: string; readonly seconds: number }[],
): void {
  port.gauge({
    name: 'caravan_consumer_without_progress_seconds',
    help: 'Time for which a consumer group has had messages to apply and has applied none of a partition; 0 without any.',
    labels: ['group'],
    collect: (gauge) => {
      for (const { group, seconds } of withoutProgress()) gauge.set({ group }, seconds);
      return Promise.resolve();
    },
  });
}

function registerSnapshots(port: MetricsPort, state: MessagingState): void {
  port.gauge({
    name: 'caravan_oldest_snapshot_age_seconds',
    help: 'How long the oldest snapshot of the database has been held by somebody: a dump, a forgotten session.',
    collect: afresh(async (gauge) => gauge.set({}, (await state.oldestSnapshot())?.ageSeconds ?? 0)),
  });
  port.gauge({
    name: 'caravan_held_back_rows',
    help: 'Deleted rows that still lie in a table, where they are a thousand or more.',
    labels: ['table'],
    collect: afresh(async (gauge) => {
      for (const { table, rows } of await state.deadRows()) gauge.set({ table }, rows);
    }),
  });
}

type Collect = Parameters<MetricsPort['gauge']>[0]['collect'];

/** A label that is gone shows no old value. */
const afresh =
  (collect: Collect): Collect =>
  (gauge) => {
    gauge.reset();
    return collect(gauge);
  };

const fromTheStart = () => allShards.map(fromStart);

/** Where relay and consumers stand now; a relay's cursors make counting cost what waits. */
export function stateOf(
  tx: Tx,
  kafka: Pick<Kafka, 'endOffsets'>,
  groups: () => readonly GroupTopics[],
  cursors: () => readonly OutboxCursor[] = fromTheStart,
): MessagingState {
  return {
    backlog: () => outboxBacklog(tx, cursors()),
    refused: () => refusedMessages(tx),
    oldestSnapshot: () => oldestSnapshot(tx),
    deadRows: () => deadRows(tx, 1_000),
    parkedKeys: async () => {
      const { rows } = await tx.query<{ group: string; keys: number }>(
        'select consumer_group as group, count(distinct (topic, key))::int as keys from msg.parked group by 1',
      );
      return rows;
    },
    lag: () => lagOf(tx, kafka, groups()),
  };
}

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
    'select pid, application, role, state, age_seconds as "ageSeconds" from es.oldest_snapshot()',
  );
  return rows[0];
}

export type Held = {
  readonly oldest: OldestSnapshot | undefined;
  readonly prepared: readonly { readonly name: string; readonly owner: string; readonly ageSeconds: number }[];
  readonly slots: readonly { readonly name: string; readonly isActive: boolean; readonly bytes: number }[];
};

/** Whoever keeps old rows or the log from going: sessions, prepared transactions, replication slots. */
export async function heldBack(tx: Tx): Promise<Held> {
  const prepared = await tx.query<Held['prepared'][number]>(
    `select gid as name, owner::text, extract(epoch from clock_timestamp() - prepared)::float8 as "ageSeconds"
     from pg_prepared_xacts where database = current_database() order by prepared`,
  );
  const slots = await tx.query<Held['slots'][number]>(
    `select slot_name as name, active as "isActive", coalesce(pg_wal_lsn_diff(
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
