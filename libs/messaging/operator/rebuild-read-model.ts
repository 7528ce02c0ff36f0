import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import { createGeneration } from '@caravan/event-store/rebuild/generation';
import { onlyOne } from '@caravan/event-store/rebuild/generation';
import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import { Gate, switchOver } from './rebuild-switch.ts';
import { GroupConsumer } from '../consumer/group-consumer.ts';
import type { Group } from '../consumer/consumer.ts';
import type { Kafka, MessagingLog } from '../kafka/kafka-port.ts';
import {
  type Begun,
  isUpTo,
  newId,
  pollMs,
  progressOf,
  type ReadModel,
  rebuilding,
  type Replay,
  replaysOf,
  schemaOf,
  shapeOf,
} from '../consumer/read-model.ts';
import { completionOf, republishedMessages } from '../relay/republish.ts';

type Pool = ReturnType<typeof createPatientPool>;

export type RebuildTools = {
  readonly service: ServiceName;
  readonly databaseUrl: string;
  readonly kafka: Kafka;
  readonly log: MessagingLog;
  readonly groups: readonly Group[];
};

type Switched = { readonly messages: number; readonly generation: number };

/** Makes an empty generation, or finds the one broken off. Answers what must be published again. */
export async function beginRebuild(tools: RebuildTools, model: ReadModel): Promise<Replay[]> {
  const groups = groupsOf(tools, model);
  return runAlone(tools, model, async (pool) => {
    const begun = (await findBegun(pool, model)) ?? (await begin(pool, tools, model, groups));
    return replaysOf(begun, tools.service, groups);
  });
}

/** Fills the generation and switches to it; can be repeated. Throws `NotRebuildable`, and while a replay is missing. */
export async function finishRebuild(tools: RebuildTools, model: ReadModel): Promise<Switched> {
  const groups = groupsOf(tools, model);
  return runAlone(tools, model, async (pool) => {
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
    const rows = createPatientPool(tools.databaseUrl, { max: 4, searchPath: [schemaOf(model), 'public'] });
    const filling = { ...tools, pool, rows, begun, lengths };
    try {
      const switched = await fillAndSwitch(filling, groups);
      // Not before the rebuild's consumers have ended: one that claims late would begin at the first offset.
      await forget(pool, model, groups);
      await tools.kafka
        .deleteTopics(replays.flatMap(({ topic }) => [topic, completionOf(topic)]))
        .catch(() => undefined);
      return switched;
    } finally {
      await rows.end();
    }
  });
}

async function fillAndSwitch(filling: Filling, groups: readonly Group[]): Promise<Switched> {
  const { begun, kafka } = filling;
  let messages = 0;
  // Identity comes last, as it erases: facts of other services know nothing of that.
  for (const isLast of [false, true]) for (const group of groups) messages += await replay(filling, group, isLast);
  const pairs = groups.map((group) => ({ live: group, own: rebuilding(begun, group, 'live'), gate: new Gate() }));
  const running = pairs.map(({ own, gate }) => consume({ ...filling, kafka: gate.consumersOf(kafka) }, own));
  try {
    for (const { own } of pairs) await untilLive(filling, own);
    return { messages, generation: await switchOver(filling, pairs) };
  } finally {
    await Promise.all(running.map((consumer) => consumer.stop()));
  }
}

type Filling = RebuildTools & { readonly pool: Pool; readonly rows: Pool; readonly begun: Begun } & {
  readonly lengths: ReadonlyMap<string, number>;
};

function groupsOf({ groups, service }: RebuildTools, model: ReadModel): Group[] {
  return model.groups.map((name) => {
    const group = groups.find((one) => one.name === name);
    if (!group) throw new Error(`${service} has no consumer group ${name}`);
    return group;
  });
}

async function runAlone<Result>(
  tools: RebuildTools,
  model: ReadModel,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPatientPool(tools.databaseUrl, { max: 4 });
  try {
    return await onlyOne(pool, model.name, () => work(pool));
  } finally {
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
  // A Kafka group for each attempt: nobody waits for a member that was killed. The database fences it off.
  const kafka: Kafka = { ...shared, consume: (name, ...rest) => shared.consume(`${name}.${newId()}`, ...rest) };
  const specs = group.topics.map(({ name, service }) => ({ name, partitions: topics[service].partitions }));
  const consumer = new GroupConsumer({ group, topics: specs, kafka, log, pool: rows });
  consumer.start();
  return consumer;
}

async function replay(filling: Filling, group: Group, isOfIdentity: boolean): Promise<number> {
  const all = rebuilding(filling.begun, group, { owner: filling.service });
  const own = { ...all, topics: all.topics.filter(({ service }) => (service === 'identity') === isOfIdentity) };
  if (own.topics.length === 0) return 0;
  const wanted = own.topics.reduce((sum, { name }) => sum + (filling.lengths.get(name) ?? 0), 0);
  const ends = await filling.kafka.endOffsets(own.topics.map(({ name }) => name));
  const there = ends.reduce((sum, { end }) => sum + end, 0);
  if (there < wanted) throw new Error(`Of ${wanted} facts only ${there} lie on ${own.topics[0]?.name}: begin again`);
  const consumer = consume(filling, own);
  try {
    await until(async () => isUpTo(await progressOf(filling.pool, own.name, ends), ends), filling, own);
  } finally {
    await consumer.stop();
  }
  return there;
}

async function untilLive(filling: Filling, own: Group): Promise<void> {
  const ends = await filling.kafka.endOffsets(own.topics.map(({ name }) => name));
  await until(async () => isUpTo(await progressOf(filling.pool, own.name, ends), ends), filling, own);
}

async function until(isDone: () => Promise<boolean>, { pool }: Filling, group: Group): Promise<void> {
  for (let isRead = false; !isRead;) {
    isRead = await isDone();
    const { rows } = await pool.query<{ type: string | null; reason: string }>(
      'select type, error_message as reason from msg.parked where consumer_group = $1 order by parked_id limit 1',
      [group.name],
    );
    if (rows[0]) throw new Error(`A message (${rows[0].type ?? 'of no type'}) could not be applied: ${rows[0].reason}`);
    if (!isRead) await sleep(pollMs);
  }
}

async function forget(pool: Pool, model: ReadModel, groups: readonly Group[]): Promise<void> {
  for (const { name } of groups)
    for (const table of ['offsets', 'progress', 'applied', 'parked'])
      await pool.query(`delete from msg.${table} where starts_with(consumer_group, $1)`, [`${name}.rebuild.`]);
  await pool.query(`drop schema if exists ${schemaOf(model)} cascade`);
}
