import { eventually } from '@caravan/event-store/testing/eventually';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { topics } from '@caravan/contracts/events/topics';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { type OutgoingMessage, TooLarge } from '../kafka/kafka-port.ts';
import { refusedMessages, requeueRefused } from './outbox.ts';
import { Relay } from './relay.ts';
import { SettledPositions } from './settled-positions.ts';
import { count } from '../testing/counting.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';
import { type Watermark, watermarkOf } from '../kafka/watermark.ts';

let suite: Suite;
let relays: Relay[] = [];
let sent: string[] = [];

beforeEach(async () => {
  sent = [];
  suite = await openSuite(testServers().kafka[0] ?? '');
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  relays = [];
  await suite.close();
});

const keep = async (_topic: string, messages: readonly OutgoingMessage[]) => {
  sent.push(...messages.map(({ value }) => String(value)));
};

function startRelay(send = keep, settings = {}): Relay {
  const kafka = { send, ensureTopics: async () => undefined };
  const pool = suite.newPool(1);
  const relay = new Relay({
    service: 'activity',
    pool,
    kafka,
    log: silent,
    background: ownBackground(),
    settings: { reviewMs: 50, ...settings },
  });
  relay.start();
  relays.push(relay);
  return relay;
}

/** How many shards each relay holds, most first. */
async function shares(): Promise<number[]> {
  const { rows } = await suite.pool.query<{ shards: number }>(
    `select count(*)::int as shards from pg_locks where locktype = 'advisory' and classid = 1667330562 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database()) group by pid order by 1 desc`,
  );
  return rows.map(({ shards }) => shards);
}

describe('relays of one service', () => {
  test('share the shards, and take over those of one that leaves or loses its connection', async () => {
    const first = startRelay();
    await eventually(async () => expect(await shares()).toEqual([16]));
    startRelay();
    await eventually(async () => expect(await shares()).toEqual([8, 8]));
    startRelay();
    await eventually(async () => expect(await shares()).toEqual([6, 6, 4]));
    await first.stop();
    await eventually(async () => expect(await shares()).toEqual([8, 8]));
    await suite.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where classid = 1667330562 and objid = 0 and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await eventually(async () => expect(await shares()).toEqual([8, 8]));
    await count(suite.store, 'maya', 1, 2, 3);
    await eventually(() => expect(sent.length).toBe(3));
  });

  test('a relay pauses after a send, so that new messages travel together, but not while more are waiting', async () => {
    const sends: number[] = [];
    const anHour = { lingerMs: 3_600_000, batchRows: 32 };
    // Two rows of a shard at a time: of a key's five some are always left.
    await count(suite.store, 'maya', 1, 2, 3, 4, 5);
    const relay = startRelay(async (_topic, messages) => void sends.push(messages.length), anHour);
    await eventually(() => expect(sends).toEqual([2, 2, 1]));
    suite.onCommitted = () => relay.notify();
    // It hears of each, and would send the first before the last is there.
    for (let n = 6; n <= 25; n += 1) await count(suite.store, 'maya', n);
    await relay.stop();
    expect(sends).toEqual([2, 2, 1]);
    startRelay(async (_topic, messages) => void sends.push(messages.length), { lingerMs: 3_600_000 });
    await eventually(() => expect(sends).toEqual([2, 2, 1, 20]));
  });

  test('tell each other of what the one commits and the other must send', async () => {
    let calls = 0;
    const listener = await suite.owner.connect();
    listener.on('notification', () => (calls += 1));
    await listener.query('listen caravan_outbox');
    const alone = startRelay();
    await eventually(async () => expect(await shares()).toEqual([16]));
    alone.notify();
    await count(suite.store, 'maya', 1);
    await eventually(() => expect(sent.length).toBe(1));
    expect(calls).toBe(0);
    startRelay();
    await eventually(async () => expect(await shares()).toEqual([8, 8]));
    alone.notify();
    await eventually(() => expect(calls).toBe(1));
    listener.release(true);
  });
});

describe('a relay whose broker refuses', () => {
  test('keeps everything and sends it in order once the broker takes it again', async () => {
    let refusals = 3;
    startRelay(async (topic, messages) => {
      if (refusals-- > 0) throw new Error('away');
      await keep(topic, messages);
    });
    for (const n of [1, 2, 3]) await count(suite.store, 'maya', n);
    await eventually(() => expect(sent.length).toBe(3));
    expect(sent.map((value) => (JSON.parse(value) as { position: number }).position)).toEqual([1, 2, 3]);
    await eventually(async () => {
      const { rows } = await suite.pool.query('select from es.outbox');
      expect(rows).toEqual([]);
    });
  });

  test('gives no row away that it did not deliver, when it is stopped', async () => {
    const relay = startRelay(async () => {
      throw new Error('away');
    });
    await count(suite.store, 'maya', 1);
    await relay.stop();
    expect((await suite.pool.query('select from es.outbox')).rows.length).toBe(1);
  });
});

test('a relay sends what commits late below what it has sent, however often that happens', async () => {
  const relay = startRelay();
  const putAt = (pos: string) =>
    `insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     values (${pos}, 3, $1, gen_random_uuid(), gen_random_uuid(), 'Counted', 1, '{"n": 1}', '{}', now())`;
  const put = putAt(`nextval('es.events_pos_seq')`);
  const late = await suite.newPool(1).connect();
  const later = await suite.newPool(1).connect();
  const publishSome = async (key: string) => {
    relay.notify();
    await eventually(() => expect(sent.map((value) => (JSON.parse(value) as { key: string }).key)).toContain(key));
  };
  try {
    for (const round of [1, 2, 3]) {
      const { rows } = await suite.pool.query<{ pos: number }>(`select nextval('es.events_pos_seq') as pos`);
      await late.query('begin');
      await late.query(put, [`late-${round}`]);
      await later.query('begin');
      await later.query(put, [`later-${round}`]);
      await suite.pool.query(put, [`first-${round}`]);
      await publishSome(`first-${round}`);
      await later.query('commit');
      await publishSome(`later-${round}`);
      await suite.pool.query(put, [`last-${round}`]);
      await publishSome(`last-${round}`);
      await late.query('commit');
      await publishSome(`late-${round}`);
      // Its position is the lowest of all, its transaction began after the others were sent.
      await suite.pool.query(putAt(String(rows[0]?.pos)), [`latest-${round}`]);
      await publishSome(`latest-${round}`);
    }
    expect(sent).toHaveLength(15);
  } finally {
    late.release(true);
    later.release(true);
  }
});

test('a relay calls a position settled when no open transaction and no parked message can come below it', async () => {
  const marks: (Watermark | undefined)[] = [];
  startRelay(async (topic, messages) => {
    marks.push(...messages.map(({ headers }) => watermarkOf(headers ?? {})));
    await keep(topic, messages);
  });
  const { rows } = await suite.owner.query<{ shard: number }>("select es.shard_of('maya')::int as shard");
  const shard = rows[0]?.shard;
  const waitUntilSettled = async () => {
    await count(suite.store, 'maya', 1);
    return marks.at(-1)?.position ?? 0;
  };
  const first = await count(suite.store, 'maya', 1);
  await eventually(async () => expect(await waitUntilSettled()).toBeGreaterThan(first));
  expect(marks.every((mark) => mark?.shard === shard)).toBe(true);

  const slow = await suite.newPool(1).connect();
  await slow.query("begin; select set_config('app.org', 'system', true); select es.lock_key('someone')");
  const begun = await count(suite.store, 'maya', 2);
  const { rows: taken } = await slow.query<{ pos: number }>("select nextval('es.events_pos_seq') as pos");
  const later = await count(suite.store, 'maya', 3);
  for (let look = 0; look < 40; look += 1) expect(await waitUntilSettled()).toBeLessThan(Number(taken[0]?.pos));
  await slow.query('commit');
  slow.release(true);
  await eventually(async () => expect(await waitUntilSettled()).toBeGreaterThan(later));

  const refused = await suite.owner.query<{ pos: number }>(
    `insert into es.refused (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     values (nextval('es.events_pos_seq'), $1, 'someone', gen_random_uuid(), gen_random_uuid(), 'Counted', 1, '{"n": 1}', '{}', now())
     returning pos`,
    [shard],
  );
  for (let look = 0; look < 40; look += 1) expect(await waitUntilSettled()).toBeLessThan(Number(refused.rows[0]?.pos));
  expect(await withSystem(suite.pool, requeueRefused)).toBe(1);
  await eventually(async () => expect(await waitUntilSettled()).toBeGreaterThan(Number(refused.rows[0]?.pos)));
  expect(begun).toBeLessThan(later);
});

test('a relay waits also for a transaction that got its number after the one that it has seen', async () => {
  const pool = suite.newPool(2);
  const seen = await pool.connect();
  const slow = await pool.connect();
  for (const writer of [seen, slow]) await writer.query('begin; select es.lock_key(pg_backend_pid()::text)');
  const take = async (writer: typeof seen) => {
    const { rows } = await writer.query<{ pos: number }>("select nextval('es.events_pos_seq') as pos");
    return Number(rows[0]?.pos);
  };
  const low = await take(slow);
  const high = await take(seen);
  await seen.query('commit');

  const settled = new SettledPositions();
  const cursors = [{ shard: 3, after: high, seen: null }];
  const look = async () => {
    for (const nth of [1, 2, 3]) {
      await settled.review(suite.pool, cursors);
      settled.settle([], nth, new Set());
    }
    return settled.watermarkOf(3).position;
  };
  const before = await look();
  await slow.query('commit');
  for (const writer of [seen, slow]) writer.release();
  expect(before).toBeLessThan(low);
  // Whoever else writes on this server is waited for, too.
  await eventually(async () => expect(await look()).toBe(high));
});

test('messages that may have been sent before a refused one of their key are not ordered behind it', async () => {
  await count(suite.store, 'maya', 1, 2, 3);
  await suite.owner.query(
    `with gone as (delete from es.outbox where pos = 2 returning *)
     insert into es.refused (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
     select pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at from gone`,
  );
  startRelay();
  await eventually(async () => expect((await refusedMessages(suite.pool)).messages).toBe(2));
  expect(sent.map((value) => (JSON.parse(value) as { position: number }).position)).toEqual([1]);
});

describe('a message that Kafka refuses for its size', () => {
  const positionsOf = (values: readonly string[]) =>
    values.map((value) => (JSON.parse(value) as { position: number }).position);
  /** Makes the row at a position larger than the broker takes. */
  const swell = (position: number) =>
    suite.owner.query(
      `update es.outbox set data = json_build_object('n', 1, 'text', repeat('ü', 600000)) where pos = $1`,
      [position],
    );

  test('is put aside with what comes after it of its key; everything else flows in order, and it can be sent back', async () => {
    let largest = 1_000_000;
    const warnings: unknown[] = [];
    const counts: number[] = [];
    await count(suite.store, 'maya', 1, 2, 3);
    await count(suite.store, 'omar', 4, 5);
    await swell(2);
    const relay = new Relay({
      service: 'activity',
      pool: suite.newPool(1),
      background: ownBackground(),
      kafka: {
        ensureTopics: async () => undefined,
        send: async (topic, messages) => {
          const bytes = messages.reduce((sum, { value }) => sum + Buffer.byteLength(String(value)), 0);
          if (bytes > largest) throw new TooLarge('too large');
          await keep(topic, messages);
        },
      },
      log: { ...silent, warn: (details: unknown) => void warnings.push(details) },
      metrics: { countRelayed: () => undefined, countRefused: (messages) => void counts.push(messages) },
    });
    relays.push(relay);
    relay.start();
    await eventually(async () => expect(await refusedMessages(suite.pool)).toMatchObject({ keys: 1, messages: 2 }));
    await eventually(() => expect(positionsOf(sent).toSorted()).toEqual([1, 4, 5]));
    await count(suite.store, 'maya', 6);
    await count(suite.store, 'omar', 7);
    await eventually(() => expect(positionsOf(sent).toSorted()).toEqual([1, 4, 5, 7]));
    await eventually(async () => expect((await refusedMessages(suite.pool)).messages).toBe(3));
    expect(warnings).toMatchObject([{ messages: [{ pos: 2, type: 'Counted' }] }]);
    expect(counts).toEqual([1]);

    largest = 10_000_000;
    expect(await withSystem(suite.pool, requeueRefused)).toBe(3);
    await eventually(() => expect(positionsOf(sent).slice(4)).toEqual([2, 3, 6]));
    expect((await refusedMessages(suite.pool)).messages).toBe(0);
  });

  test('is known by what the broker really answers', async () => {
    const { kafka } = suite;
    await kafka.ensureTopics([topics.activity]);
    const message = (value: string) => ({ key: 'maya', value });
    await expect(kafka.send(topics.activity.name, [message('x'.repeat(1_100_000))])).rejects.toThrow(TooLarge);
    await expect(kafka.send(topics.activity.name, [message('x')])).resolves.toBeUndefined();
  });
});
