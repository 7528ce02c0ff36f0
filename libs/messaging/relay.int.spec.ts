import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutgoingMessage } from './kafka-port.ts';
import { Relay } from './relay.ts';
import { count } from './testing/counting.ts';
import { silent } from './testing/settings.ts';
import { openSuite, type Suite } from './testing/suite.ts';

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
    ...{ service: 'activity', pool, kafka, log: silent },
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

const soon = { timeout: 10_000, interval: 20 };

describe('relays of one service', () => {
  test('share the shards, and take over those of one that leaves or loses its connection', async () => {
    const first = startRelay();
    await vi.waitFor(async () => expect(await shares()).toEqual([16]), soon);
    startRelay();
    await vi.waitFor(async () => expect(await shares()).toEqual([8, 8]), soon);
    startRelay();
    await vi.waitFor(async () => expect(await shares()).toEqual([6, 6, 4]), soon);
    await first.stop();
    await vi.waitFor(async () => expect(await shares()).toEqual([8, 8]), soon);
    await suite.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where classid = 1667330562 and objid = 0 and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await vi.waitFor(async () => expect(await shares()).toEqual([8, 8]), soon);
    await count(suite.store, 'maya', 1, 2, 3);
    await vi.waitFor(() => expect(sent.length).toBe(3), soon);
  });

  test('tell each other of what the one commits and the other must send', async () => {
    let calls = 0;
    const listener = await suite.owner.connect();
    listener.on('notification', () => (calls += 1));
    await listener.query('listen caravan_outbox');
    const alone = startRelay();
    await vi.waitFor(async () => expect(await shares()).toEqual([16]), soon);
    alone.poke();
    await count(suite.store, 'maya', 1);
    await vi.waitFor(() => expect(sent.length).toBe(1), soon);
    expect(calls).toBe(0);
    startRelay();
    await vi.waitFor(async () => expect(await shares()).toEqual([8, 8]), soon);
    alone.poke();
    await vi.waitFor(() => expect(calls).toBe(1), soon);
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
    await vi.waitFor(() => expect(sent.length).toBe(3), soon);
    expect(sent.map((value) => (JSON.parse(value) as { position: number }).position)).toEqual([1, 2, 3]);
    await vi.waitFor(async () => {
      const { rows } = await suite.pool.query('select from es.outbox');
      expect(rows).toEqual([]);
    }, soon);
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
