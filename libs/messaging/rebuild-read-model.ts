import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, topics } from '@caravan/contracts/topics';
import { createGeneration, NotRebuildable, replaceTables } from '@caravan/event-store/generation';
import { lockedPatiently, onlyOne } from '@caravan/event-store/locking';
import type { OpenTransaction } from '@caravan/event-store/open-transaction';
import { createPool, withSystem } from '@caravan/event-store/postgres';
import { lockOffsets } from './consumer-offsets.ts';
import { Gate } from './gate.ts';
import { GroupConsumer } from './group-consumer.ts';
import type { Group } from './groups.ts';
import type { EndOffset, Kafka, MessagingLog } from './kafka-port.ts';
import type { ReadModel } from './read-model.ts';
import { type Begun, newId, progressOf, rebuilding, replaysOf, schemaOf, shapeOf } from './rebuild-state.ts';
import type { Replay } from './rebuild-steps.ts';
import { completionOf, republishedMessages } from './republish.ts';

type Pool = ReturnType<typeof createPool>;

export type RebuildTools = {
  readonly service: ServiceName;
  /** The owner of the service's database: tables are created and replaced. */
  readonly databaseUrl: string;
  readonly kafka: Kafka;
  readonly log: MessagingLog;
  /** The service's groups with their handlers: `KafkaBatchServer.groups`. */
  readonly groups: readonly Group[];
};

export type Switched = { readonly messages: number; readonly generation: number };

const pollMs = 50;
/** How long the live groups stand still at most while the last messages are applied; then they go on, and it is tried again. */
const mostStandstillMs = 3_000;
/** How long the generation waits for the live groups before a switch. */
const mostCatchingUpMs = 10_000;
const maxSwitchTries = 20;

/**
 * Begins to make a read model again, or finds the rebuild that was broken off: an empty generation beside the serving one,
 * and where the live topics stood. Answers what has to be published again before `finishRebuild`.
 */
export async function beginRebuild(tools: RebuildTools, model: ReadModel): Promise<Replay[]> {
  const groups = groupsOf(tools, model);
  return guarded(tools, model, async (pool) => {
    const begun = (await findBegun(pool, model)) ?? (await begin(pool, tools, model, groups));
    return replaysOf(begun, tools.service, groups);
  });
}

/**
 * Fills the generation from what was published again, then from the live topics, and switches once it has caught up: in one
 * transaction, in which the groups stand still. Can be broken off and repeated. Throws while something is not published,
 * and `NotRebuildable`; the serving generation is left alone whenever it fails.
 */
export async function finishRebuild(tools: RebuildTools, model: ReadModel): Promise<Switched> {
  const groups = groupsOf(tools, model);
  return guarded(tools, model, async (pool) => {
    const begun = await findBegun(pool, model);
    if (!begun)
      throw new Error(`No rebuild of ${model.name} has begun, or its tables were migrated since: begin it again`);
    const replays = replaysOf(begun, tools.service, groups);
    const lengths = new Map<string, number>();
    for (const { service, topic } of replays) {
      const messages = await republishedMessages(tools.kafka, topic);
      if (messages === undefined) throw new Error(`${service} has not published all of ${topic} yet`);
      lengths.set(topic, messages);
    }
    const rows = createPool(tools.databaseUrl, { max: 4, searchPath: [schemaOf(model), 'public'] });
    const filling = { ...tools, pool, rows, begun, lengths };
    const switched = await fillAndSwitch(filling, groups).finally(() => rows.end());
    // Not before the rebuild's consumers have ended: one that claims late would find no offset and begin at the first.
    await forget(pool, model, groups);
    await tools.kafka.deleteTopics(replays.flatMap(({ topic }) => [topic, completionOf(topic)])).catch(() => undefined);
    return switched;
  });
}

async function fillAndSwitch(filling: Filling, groups: readonly Group[]): Promise<Switched> {
  const { begun, kafka } = filling;
  let messages = 0;
  // What identity tells comes last, as it erases: facts of other services know nothing of that.
  for (const isLast of [false, true]) for (const group of groups) messages += await replay(filling, group, isLast);
  const sides = groups.map((group) => ({ live: group, own: rebuilding(begun, group, 'live'), gate: new Gate() }));
  const running = sides.map(({ own, gate }) => consume({ ...filling, kafka: gate.before(kafka) }, own));
  try {
    for (const { own } of sides) await untilLive(filling, own);
    return { messages, generation: await switchOver(filling, sides) };
  } finally {
    await Promise.all(running.map((consumer) => consumer.stop()));
  }
}

/** A group of the service, and the rebuild's beside it. */
type Side = { readonly live: Group; readonly own: Group; readonly gate: Gate };
type Filling = RebuildTools & { readonly pool: Pool; readonly rows: Pool; readonly begun: Begun } & {
  /** How many messages were published again, by topic. */
  readonly lengths: ReadonlyMap<string, number>;
};

function groupsOf({ groups, service }: RebuildTools, model: ReadModel): Group[] {
  return model.groups.map((name) => {
    const group = groups.find((one) => one.name === name);
    if (!group) throw new Error(`${service} has no consumer group ${name}`);
    return group;
  });
}

async function guarded<Result>(
  tools: RebuildTools,
  model: ReadModel,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(tools.databaseUrl, { max: 4 });
  const guard = await pool.connect();
  try {
    await onlyOne(guard, model.name);
    return await work(pool);
  } finally {
    guard.release(true);
    await pool.end();
  }
}

async function findBegun(pool: Pool, model: ReadModel): Promise<Begun | undefined> {
  const { rows } = await pool.query<{ id: string; shape: string }>(
    'select rebuild_id as id, shape from msg.rebuilds where read_model = $1',
    [model.name],
  );
  const [found] = rows;
  if (!found || found.shape !== (await shapeOf(pool, model.tables))) return undefined;
  return { id: found.id, model };
}

async function begin(pool: Pool, tools: RebuildTools, model: ReadModel, groups: readonly Group[]): Promise<Begun> {
  const begun = { id: newId(), model };
  await tools.kafka.ensureTopics(groups.flatMap((group) => group.topics.map(({ service }) => topics[service])));
  const ends = await tools.kafka.endOffsets([
    ...new Set(groups.flatMap((group) => group.topics.map(({ name }) => name))),
  ]);
  await forget(pool, model, groups);
  const shape = await shapeOf(pool, model.tables);
  await withSystem(pool, async (tx) => {
    // With all its indexes from the beginning: consumers change rows and look for them.
    for (const statement of await createGeneration(tx, schemaOf(model), model.tables)) await tx.query(statement);
    for (const statement of model.own ?? []) await tx.query(statement);
    for (const group of groups) {
      const own = rebuilding(begun, group, 'live');
      const starts = ends.filter(({ topic }) => own.topics.some(({ name }) => name === topic));
      await tx.query(
        `insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset)
         select $1, topic, partition_id, 1, next_offset from unnest($2::text[], $3::int[], $4::bigint[]) as s(topic, partition_id, next_offset)`,
        [
          own.name,
          starts.map(({ topic }) => topic),
          starts.map(({ partition }) => partition),
          starts.map(({ end }) => end),
        ],
      );
    }
    await tx.query(
      `insert into msg.rebuilds (read_model, rebuild_id, shape) values ($1, $2, $3)
       on conflict (read_model) do update set rebuild_id = excluded.rebuild_id, shape = excluded.shape, begun_at = now()`,
      [model.name, begun.id, shape],
    );
  });
  return begun;
}

function consume({ kafka: shared, log, rows }: Filling, group: Group): GroupConsumer {
  // A Kafka group of its own for each attempt: nobody waits for a member that was killed. The database fences it off.
  const kafka: Kafka = { ...shared, consume: (name, ...rest) => shared.consume(`${name}.${newId()}`, ...rest) };
  const specs = group.topics.map(({ name, service }) => ({ name, partitions: topics[service].partitions }));
  const consumer = new GroupConsumer({ group, topics: specs, kafka, log, pool: rows });
  consumer.start();
  return consumer;
}

/** Applies all that was published again for a group. Answers how many messages lie on its topics. */
async function replay(filling: Filling, group: Group, isOfIdentity: boolean): Promise<number> {
  const all = rebuilding(filling.begun, group, { owner: filling.service });
  const own = { ...all, topics: all.topics.filter(({ service }) => (service === 'identity') === isOfIdentity) };
  if (own.topics.length === 0) return 0;
  const wanted = own.topics.reduce((sum, { name }) => sum + (filling.lengths.get(name) ?? 0), 0);
  const ends = await wholeEnds(filling, own, wanted);
  const consumer = consume(filling, own);
  try {
    await until(async () => isUpTo(await progressOf(filling.pool, own.name, ends), ends), filling, own);
  } finally {
    await consumer.stop();
  }
  return ends.reduce((sum, { end }) => sum + end, 0);
}

/** Where the topics end, once the brokers tell of all that lies on them. */
async function wholeEnds({ kafka }: Filling, { topics: read }: Group, messages: number): Promise<EndOffset[]> {
  for (;;) {
    const ends = await kafka.endOffsets(read.map(({ name }) => name));
    if (ends.reduce((sum, { end }) => sum + end, 0) >= messages) return ends;
    await sleep(pollMs);
  }
}

/** Until the generation is as far as the serving one, but for what comes meanwhile. */
async function untilLive(filling: Filling, own: Group): Promise<void> {
  const ends = await filling.kafka.endOffsets(own.topics.map(({ name }) => name));
  await until(async () => isUpTo(await progressOf(filling.pool, own.name, ends), ends), filling, own);
}

async function until(isDone: () => Promise<boolean>, { pool }: Filling, group: Group): Promise<void> {
  for (let isRead = false; !isRead;) {
    isRead = await isDone();
    const { rows } = await pool.query<{ type: string; reason: string }>(
      'select type, error_message as reason from msg.parked where consumer_group = $1 order by parked_id limit 1',
      [group.name],
    );
    if (rows[0]) throw new Error(`A message (${rows[0].type}) could not be applied: ${rows[0].reason}`);
    if (!isRead) await sleep(pollMs);
  }
}

const isUpTo = (progress: readonly EndOffset[], wanted: readonly EndOffset[]): boolean =>
  wanted.every(({ end }, nth) => (progress[nth]?.end ?? 0) >= end);

async function switchOver(filling: Filling, sides: readonly Side[]): Promise<number> {
  const { pool, begun, kafka } = filling;
  const groups = sides.map(({ live }) => live);
  const ends = await kafka.endOffsets(groups.flatMap((group) => group.topics.map(({ name }) => name)));
  for (let left = maxSwitchTries; ; left -= 1) {
    for (const side of sides) await letLiveCatchUp(filling, side, ends);
    const generation = await lockedPatiently(pool, (tx) => flip(tx, filling, sides, ends));
    if (generation !== undefined) return generation;
    if (left === 0) throw new Error(`${begun.model.name} does not catch up with what comes: try again when less does`);
    for (const { gate } of sides) gate.open();
  }
}

/**
 * The generation stands still until the live group has come as far: what only the generation knew, the live group would
 * apply to it once more, since it has to decide on it. A group that does not run is not waited for long: its handlers
 * leave the same rows when they are told twice.
 */
async function letLiveCatchUp({ pool }: Filling, { live, own, gate }: Side, ends: readonly EndOffset[]): Promise<void> {
  await gate.close([]);
  const reached = await progressOf(pool, own.name, partitionsOf(live, ends));
  for (const since = Date.now(); Date.now() - since < mostCatchingUpMs; await sleep(pollMs))
    if (isUpTo(await progressOf(pool, live.name, reached), reached)) return;
}

/** Puts the generation in its place; undefined when it is not yet as far as the serving one. */
async function flip(
  tx: OpenTransaction,
  { begun: { model }, pool }: Filling,
  sides: readonly Side[],
  partitions: readonly EndOffset[],
): Promise<number | undefined> {
  // Nobody claims partitions, and whoever applies a batch of these groups has committed it or waits.
  await tx.query('lock table msg.offsets in share row exclusive mode');
  for (const { live } of sides) await lockOffsets(tx, live.name, partitions);
  for (const { live, own, gate } of sides) {
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
  // The rebuild's own consumers are fenced off.
  const own = sides.map((side) => side.own.name);
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

/** Removes what rebuilds of these groups have left, this one or one that nobody finished. */
async function forget(pool: Pool, model: ReadModel, groups: readonly Group[]): Promise<void> {
  for (const { name } of groups)
    for (const table of ['offsets', 'progress', 'applied', 'parked'])
      await pool.query(`delete from msg.${table} where starts_with(consumer_group, $1)`, [`${name}.rebuild.`]);
  await pool.query(`drop schema if exists ${schemaOf(model)} cascade`);
}
