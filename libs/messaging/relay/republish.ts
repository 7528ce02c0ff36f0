import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { lockedPatiently, onlyOne, settledEnd } from '@caravan/event-store/rebuild/generation';
import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import type { LoggedEvent, PublicHistory } from '@caravan/event-store/rebuild/public-history';
import type { Kafka, OutgoingMessage } from '../kafka/kafka-port.ts';
import { messageOf, type Outbound } from './outbox.ts';
import { untilTopicSettles } from '../kafka/retry.ts';

type RepublishPlan = {
  readonly service: ServiceName;
  readonly databaseUrl: string;
  readonly history: readonly PublicHistory[];
  readonly kafka: Pick<Kafka, 'send' | 'ensureTopics'>;
  readonly topic: string;
  readonly batchSize?: number;
};

type Republished = { readonly messages: number; readonly until: number };

type Pool = ReturnType<typeof createPatientPool>;
type Logged = LoggedEvent & { readonly key: string; readonly meta: Meta };
type Published = { position: number; orgId: string; key: string; eventId: string; type: string; version: number } & {
  data: string;
  meta: Meta;
  actorId: string | null;
  at: Date;
};
type Meta = { readonly causes?: object; readonly traceparent?: string };
type Positioned = { readonly position: number; readonly message: OutgoingMessage };
type Epochs = readonly { epoch: number; fromPos: number }[];

const maxSendBytes = 900_000;
const completionWaitMs = 8_000;

/** Holds one message once the history is on its topic to the end. */
export const completionOf = (topic: string): string => `${topic}.complete`;

/** Publishes a service's history again, in order for every key; goes on where it broke off. */
export async function republish(plan: RepublishPlan): Promise<Republished> {
  const pool = createPatientPool(plan.databaseUrl, { max: 3 });
  try {
    return await onlyOne(pool, plan.topic, () => publishHistory(pool, plan));
  } finally {
    await pool.end();
  }
}

async function publishHistory(pool: Pool, plan: RepublishPlan): Promise<Republished> {
  const { topic, service, kafka } = plan;
  await kafka.ensureTopics([
    { name: topic, partitions: topics[service].partitions },
    { name: completionOf(topic), partitions: 1 },
  ]);
  const { position, until } = await begin(pool, topic);
  await publishAll(pool, plan, { after: position, until });
  const { rows } = await pool.query<{ messages: number }>('select messages from es.replays where topic = $1', [topic]);
  const messages = rows[0]?.messages ?? 0;
  const end = [{ key: topic, value: String(messages) }];
  await untilTopicSettles(() => kafka.send(completionOf(topic), end));
  return { messages, until };
}

/** How many messages the history is; undefined until it is on its topic to the end. */
export async function republishedMessages(kafka: Kafka, topic: string): Promise<number | undefined> {
  const completion = completionOf(topic);
  await kafka.ensureTopics([{ name: completion, partitions: 1 }]);
  const told = Promise.withResolvers<number>();
  const running = await kafka.consume(`${completion}.${randomUUID()}`, [completion], {
    onAssigned: () => undefined,
    onBatch: ({ messages }) => {
      const last = messages.at(-1);
      if (last) told.resolve(Number(String(last.value)));
      return Promise.resolve();
    },
  });
  try {
    return await Promise.race([told.promise, sleep(completionWaitMs, undefined, { ref: false })]);
  } finally {
    await running.stop();
  }
}

/** Settled once, so that nothing appears behind it later. */
async function begin(pool: Pool, topic: string): Promise<{ position: number; until: number }> {
  const end = await lockedPatiently(pool, async (tx) => {
    await tx.query('lock table es.published in share mode');
    const inLog = await settledEnd(tx);
    const { rows } = await tx.query<{ end: number | null }>('select max(pos) as end from es.published');
    return Math.max(inLog, rows[0]?.end ?? 0);
  });
  await pool.query(`delete from es.replays where begun_at < now() - interval '14 days'`);
  await pool.query('insert into es.replays (topic, until) values ($1, $2) on conflict do nothing', [topic, end]);
  const { rows } = await pool.query<{ position: number; until: number }>(
    'select position, until from es.replays where topic = $1',
    [topic],
  );
  return rows[0] ?? { position: 0, until: end };
}

async function publishAll(pool: Pool, plan: RepublishPlan, range: { after: number; until: number }): Promise<void> {
  const { rows: epochs } = await pool.query<Epochs[number]>(
    'select epoch, from_pos from es.epochs order by epoch desc',
  );
  const next = (after: number) => withSystem(pool, (tx) => readBatch(tx, plan, { ...range, after }, epochs));
  let reading = next(range.after);
  for (;;) {
    const { outgoing, last } = await reading;
    if (last === undefined) return;
    reading = next(last);
    reading.catch(() => undefined);
    await send(plan, outgoing);
    await pool.query('update es.replays set position = $2, messages = messages + $3 where topic = $1', [
      plan.topic,
      last,
      outgoing.length,
    ]);
  }
}

async function send({ kafka, topic }: RepublishPlan, outgoing: readonly Positioned[]): Promise<void> {
  const sends: OutgoingMessage[][] = [[]];
  let bytes = 0;
  for (const { message } of outgoing) {
    const size = (message.value?.length ?? 0) + 200;
    if (bytes + size > maxSendBytes) {
      sends.push([]);
      bytes = 0;
    }
    sends.at(-1)?.push(message);
    bytes += size;
  }
  for (const some of sends) if (some.length > 0) await untilTopicSettles(() => kafka.send(topic, some));
}

const eventsSql = `
  select pos as position, org_id, stream_id, category, partition_key as key, event_id,
    version, type, schema_version, data, meta, actor_id, recorded_at
  from es.events where pos > $1 and pos <= $2 order by pos limit $3`;

const publishedSql = `
  select pos as position, org_id, partition_key as key, event_id, type, version,
    data::text as data, meta, actor_id, occurred_at as at
  from es.published where pos > $1 and pos <= $2 order by pos limit $3`;

async function readBatch(
  tx: Tx,
  { history, service, batchSize = 2_000 }: RepublishPlan,
  { after, until }: { after: number; until: number },
  epochs: Epochs,
): Promise<{ outgoing: Positioned[]; last: number | undefined }> {
  const values = [after, until, batchSize];
  const [{ rows: events }, { rows: published }] = await Promise.all([
    tx.query<Logged>(eventsSql, values),
    tx.query<Published>(publishedSql, values),
  ]);
  const last = [...events, ...published].map(({ position }) => position).sort((a, b) => a - b)[batchSize - 1];
  const end = last ?? Math.max(events.at(-1)?.position ?? 0, published.at(-1)?.position ?? 0);
  const upToEnd = ({ position }: { position: number }) => position <= end;
  const rows = [...(await rowsOf(tx, history, events.filter(upToEnd))), ...published.filter(upToEnd).map(rowOf)];
  const outgoing = rows
    .toSorted((a, b) => a.pos - b.pos)
    .map((row) => ({ position: row.pos, message: messageOf({ ...row, epoch: epochAt(epochs, row.pos) }, service) }));
  return { outgoing, last: end === 0 ? undefined : end };
}

type OutboundRow = Omit<Outbound, 'epoch'>;

async function rowsOf(tx: Tx, history: readonly PublicHistory[], events: readonly Logged[]): Promise<OutboundRow[]> {
  const byCategory = [...Map.groupBy(events, ({ category }) => category)];
  const rows = await Promise.all(
    byCategory.map(async ([category, some]) => {
      const kind = history.find((one) => one.category === category);
      if (!kind) throw new Error(`This version of the service does not know streams of ${category}: use the newest`);
      const outgoing = await kind.outgoing(tx, some);
      return some.flatMap(({ key, position, recordedAt, ...event }, nth) => {
        const one = outgoing[nth];
        return one ? [rowOf({ ...event, ...one, key, position, data: JSON.stringify(one.data), at: recordedAt })] : [];
      });
    }),
  );
  return rows.flat();
}

const rowOf = ({ position, orgId, key, eventId, type, version, data, meta, actorId, at }: Published): OutboundRow => ({
  pos: position,
  partitionKey: key,
  eventId,
  orgId,
  type,
  version,
  data,
  causes: JSON.stringify(meta.causes ?? {}),
  actorId,
  occurredAt: at.toISOString(),
  traceparent: null,
});

const epochAt = (epochs: Epochs, position: number): number =>
  epochs.find(({ fromPos }) => fromPos <= position)?.epoch ?? 0;
