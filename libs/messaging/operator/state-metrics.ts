import type { Tx } from '@caravan/event-store/core/event-store';
import { type DeadRows, deadRows, type OldestSnapshot, oldestSnapshot } from './held-back.ts';
import type { Kafka } from '../kafka/kafka-port.ts';
import { type GroupTopics, type Lag, lagOf } from './lag.ts';
import type { MetricsPort } from '../kafka/metrics.ts';
import { allShards, fromStart, type OutboxCursor } from '../relay/outbox-shards.ts';
import { outboxBacklog, refusedMessages } from '../relay/outbox.ts';

export type MessagingState = {
  backlog(): Promise<{ rows: number; oldestAgeSeconds: number }>;
  countRefused(): Promise<{ messages: number }>;
  parkedKeys(): Promise<{ group: string; keys: number }[]>;
  lag(): Promise<Lag[]>;
  oldestSnapshot(): Promise<OldestSnapshot | undefined>;
  deadRows(): Promise<DeadRows[]>;
};

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
    collect: afresh(async (gauge) => gauge.set({}, (await state.countRefused()).messages)),
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
    name: 'caravan_dead_rows',
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
    countRefused: () => refusedMessages(tx),
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
