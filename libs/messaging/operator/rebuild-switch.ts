import { setTimeout as sleep } from 'node:timers/promises';
import { NotRebuildable, replaceTables } from '@caravan/event-store/rebuild/generation';
import { lockedPatiently } from '@caravan/event-store/rebuild/generation';
import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { lockOffsets, nameOf } from '../consumer/consumer-offsets.ts';
import type { Group } from '../consumer/consumer.ts';
import type { ConsumerEvents, EndOffset, IncomingBatch, Kafka } from '../kafka/kafka-port.ts';
import { type Begun, isUpTo, pollMs, progressOf, type ReadModel, schemaOf, shapeOf } from '../consumer/read-model.ts';

/** How long the live groups stand still at most before it is tried again. */
const mostStandstillMs = 3_000;
const mostCatchingUpMs = 10_000;
const maxSwitchTries = 20;

type GroupPair = { readonly live: Group; readonly own: Group; readonly gate: Gate };
type Switching = { readonly pool: Pool; readonly begun: Begun; readonly kafka: Pick<Kafka, 'endOffsets'> };

/** Puts the generation in place while the groups stand still. Throws when it cannot catch up, and `NotRebuildable`. */
export async function switchOver(filling: Switching, pairs: readonly GroupPair[]): Promise<number> {
  const { pool, begun, kafka } = filling;
  const groups = pairs.map(({ live }) => live);
  const ends = await kafka.endOffsets(groups.flatMap((group) => group.topics.map(({ name }) => name)));
  for (let left = maxSwitchTries; ; left -= 1) {
    for (const pair of pairs) await letLiveCatchUp(filling, pair, ends);
    const generation = await lockedPatiently(pool, (tx) => switchTables(tx, filling, pairs, ends));
    if (generation !== undefined) return generation;
    if (left === 0) throw new Error(`${begun.model.name} does not catch up with what comes: try again when less does`);
    for (const { gate } of pairs) gate.open();
  }
}

/** The live group would decide again on what only the generation knew. One that does not run is not waited for long. */
async function letLiveCatchUp(
  { pool }: Switching,
  { live, own, gate }: GroupPair,
  ends: readonly EndOffset[],
): Promise<void> {
  await gate.close([]);
  const reached = await progressOf(pool, own.name, partitionsOf(live, ends));
  for (const since = Date.now(); Date.now() - since < mostCatchingUpMs; await sleep(pollMs))
    if (isUpTo(await progressOf(pool, live.name, reached), reached)) return;
}

async function switchTables(
  tx: OpenTransaction,
  { begun: { model }, pool }: Switching,
  pairs: readonly GroupPair[],
  partitions: readonly EndOffset[],
): Promise<number | undefined> {
  // Nobody claims partitions, and whoever applies a batch of these groups has committed it or waits.
  await tx.query('lock table msg.offsets in share row exclusive mode');
  for (const { live } of pairs) await lockOffsets(tx, live.name, partitions);
  for (const { live, own, gate } of pairs) {
    const place = await progressOf(tx, live.name, partitionsOf(live, partitions));
    await gate.close(place);
    const since = Date.now();
    while (!isUpTo(await progressOf(pool, own.name, place), place)) {
      if (Date.now() - since > mostStandstillMs) return undefined;
      await sleep(pollMs);
    }
    await lockOffsets(tx, own.name, place);
  }
  if ((await shapeOf(tx, model.tables)) !== (await begunShape(tx, model)))
    throw new NotRebuildable(`${model.name} was migrated meanwhile: begin its rebuild again`);
  await tx.query(`lock table ${model.tables.map((table) => `public."${table}"`).join(', ')} in access exclusive mode`);
  await tx.query(`set local search_path = ${schemaOf(model)}, public`);
  for (const statement of model.own ?? []) await tx.query(statement);
  await replaceTables(tx, schemaOf(model), model.tables);
  const own = pairs.map((pair) => pair.own.name);
  await tx.query('delete from msg.offsets where consumer_group = any($1)', [own]);
  await tx.query('delete from msg.rebuilds where read_model = $1', [model.name]);
  return countGeneration(tx, model);
}

const partitionsOf = (group: Group, all: readonly EndOffset[]) =>
  all.filter(({ topic }) => group.topics.some(({ name }) => name === topic));

async function begunShape(tx: OpenTransaction, { name }: ReadModel): Promise<string | undefined> {
  const { rows } = await tx.query<{ shape: string }>('select shape from msg.rebuilds where read_model = $1', [name]);
  return rows[0]?.shape;
}

async function countGeneration(tx: OpenTransaction, { name }: ReadModel): Promise<number> {
  const { rows } = await tx.query<{ generation: number }>(
    `insert into es.projections (name, revision, generation) values ($1, 1, 1)
     on conflict (name) do update set generation = projections.generation + 1, rebuilt_at = now()
     returning generation`,
    [name],
  );
  return rows[0]?.generation ?? 0;
}

const closedPauseMs = 20;

export class Gate {
  private bounds: ReadonlyMap<string, number> | undefined;
  private readonly underWay = new Set<Promise<void>>();

  consumersOf(kafka: Kafka): Kafka {
    return {
      ...kafka,
      consume: (group, topics, events) =>
        kafka.consume(group, topics, { ...events, onBatch: (batch) => this.pass(batch, events) }),
    };
  }

  async close(before: readonly EndOffset[]): Promise<void> {
    this.bounds = new Map(before.map((end) => [nameOf(end), end.end]));
    await Promise.allSettled(this.underWay);
  }

  open(): void {
    this.bounds = undefined;
  }

  private async pass(batch: IncomingBatch, events: ConsumerEvents): Promise<void> {
    const bounds = this.bounds;
    const bound = bounds ? (bounds.get(nameOf(batch)) ?? 0) : Infinity;
    const messages = batch.messages.filter(({ offset }) => offset < bound);
    if (messages.length === 0) {
      await sleep(closedPauseMs);
      return;
    }
    const isRunning = () => batch.isRunning() && this.bounds === bounds;
    const applied = events.onBatch({ ...batch, messages, isRunning });
    this.underWay.add(applied);
    try {
      await applied;
    } finally {
      this.underWay.delete(applied);
    }
  }
}
