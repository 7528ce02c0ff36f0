import { eventually } from '@caravan/event-store/testing/eventually';
import { topics } from '@caravan/contracts/events/topics';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyBatch } from './apply-batch.ts';
import { groupsOf, type Handler } from './consumer.ts';
import { claimPartitions, Fenced } from './consumer-offsets.ts';
import { count, faultsOf, readLogged, noFaults, seeing, seeingTogether, seenBy } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { deliverWithoutRemoving, parkedRows } from '../testing/deliver.ts';
import { envelope } from '../testing/envelope.ts';
import { openSuite, type Suite } from '../testing/suite.ts';
import { write } from '../testing/writers.ts';

let suite: Suite;
let pipeline: Pipeline | undefined;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  await suite.kafka.ensureTopics([topics.activity]);
});
afterEach(async () => {
  await pipeline?.stop();
  pipeline = undefined;
  await suite.close();
});

const both = [seeing('one-by-one'), seeingTogether('together')];
const send = (key: string, ...values: string[]) =>
  suite.kafka.send(
    topics.activity.name,
    values.map((value) => ({ key, value })),
  );

async function faults(): Promise<object[]> {
  const truth = await readLogged(suite.pool);
  return Promise.all(
    both.map(async ({ subscription }) => faultsOf(truth, await seenBy(suite.owner, subscription.group))),
  );
}

describe('a message that is delivered twice', () => {
  test('everything delivered twice changes nothing', async () => {
    await write(suite, { events: 400, writers: 4 });
    await deliverWithoutRemoving(suite);
    await deliverWithoutRemoving(suite);
    // The relay delivers it a third time.
    pipeline = startPipeline(suite, both);
    await pipeline.idle();
    expect(await faults()).toEqual([noFaults, noFaults]);
  });

  test('a group that loses its offsets reads everything again and changes nothing', async () => {
    pipeline = startPipeline(suite, both);
    await write(suite, { events: 400, writers: 4 });
    await pipeline.idle();
    await pipeline.stop();
    await suite.pool.query('update msg.progress set next_offset = 0');
    pipeline = startPipeline(suite, both);
    await count(suite.store, 'key-1', 1);
    await pipeline.idle();
    expect(await faults()).toEqual([noFaults, noFaults]);
  });
});

describe('the record of received messages', () => {
  /** Goes on until relays have told that these positions are settled, and partitions have forgotten them. */
  async function longAfter(position: number): Promise<void> {
    await eventually(async () => {
      await count(suite.store, 'maya', 1);
      await pipeline?.idle();
      const { rows } = await suite.owner.query<{ received: [[number, number, number][], [string, number, number][]] }>(
        'select received from msg.progress where received is not null order by nth',
      );
      const settled = Math.max(0, ...rows.flatMap(({ received: [marks] }) => marks.map((mark) => mark[2])));
      expect(settled).toBeGreaterThanOrEqual(position);
      expect(rows.flatMap(({ received }) => received[1]).filter((message) => message[2] <= position)).toEqual([]);
    });
  }

  test('a message that a frozen relay repeats long after its record was deleted is not handled again', async () => {
    pipeline = startPipeline(suite, both);
    const position = await count(suite.store, 'maya', 1);
    await pipeline.idle();
    await longAfter(position);
    await pipeline.stop();
    pipeline = startPipeline(suite, both);
    const late = envelope('maya', position, { epochs: { activity: await epoch() } });
    const shard = await shardOf('maya');
    // With the watermark of that time, and without one, as redriven messages are.
    for (const headers of [{ headers: { watermark: `${shard}:0@0` } }, {}])
      await suite.kafka.send(topics.activity.name, [{ key: 'maya', value: late, ...headers }]);
    await count(suite.store, 'maya', 2);
    await pipeline.idle();
    expect(await faults()).toEqual([noFaults, noFaults]);
    const { rows } = await suite.owner.query('select count(*)::int as count from msg.applied');
    expect(rows).toEqual([{ count: 0 }]);
    const { rows: most } = await suite.owner.query<{ count: number }>(
      'select count(*)::int as count from msg.progress group by consumer_group, topic, partition_id order by 1 desc',
    );
    expect(most[0]?.count).toBeLessThanOrEqual(32);
  });

  const epoch = async () => (await suite.owner.query<{ epoch: number }>('select epoch from es.epochs')).rows[0]?.epoch;
  const shardOf = async (key: string) =>
    (await suite.owner.query<{ shard: number }>('select es.shard_of($1)::int as shard', [key])).rows[0]?.shard;
});

describe('a topic that was lost and made anew', () => {
  test('is read from its beginning although the group was further', async () => {
    await write(suite, { events: 200, writers: 4 });
    pipeline = startPipeline(suite, both);
    await pipeline.idle();
    await pipeline.stop();
    await suite.pool.query('update msg.progress set next_offset = 10000');
    await write(suite, { events: 200, writers: 4 });
    pipeline = startPipeline(suite, both);
    await eventually(async () => expect(await faults()).toEqual([noFaults, noFaults]));
    const { rows } = await suite.pool.query('select from msg.progress where next_offset < 10000');
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('a log that was restored to an earlier point', () => {
  const numbersSeen = async (group: string) => {
    const { rows } = await suite.owner.query<{ n: number }>(
      'select n from seen where consumer_group = $1 order by seen_id',
      [group],
    );
    return rows.map(({ n }) => n);
  };
  /** As a backup has it that was made when only so much had happened. */
  const restore = (position: number) =>
    suite.owner.query(`select set_config('app.org', 'system', true); delete from es.events where pos > ${position};
      select setval('es.events_pos_seq', ${position})`);

  test('uses positions again in a new epoch: its new facts arrive once each, what was delivered before does not', async () => {
    pipeline = startPipeline(suite, both);
    for (const n of [11, 12, 13]) await count(suite.store, 'maya', n);
    await pipeline.idle();
    await restore(1);
    await suite.owner.query('select es.begin_epoch()');
    // The second position of maya's key, for the second time.
    expect(await count(suite.store, 'maya', 22)).toBe(2);
    await deliverWithoutRemoving(suite);
    await pipeline.idle();
    await restore(1);
    await suite.owner.query('select es.begin_epoch()');
    expect(await count(suite.store, 'maya', 32)).toBe(2);
    await pipeline.idle();
    await pipeline.stop();
    await suite.pool.query('update msg.progress set next_offset = 0');
    pipeline = startPipeline(suite, both);
    await pipeline.idle();
    expect(await Promise.all(both.map(({ subscription }) => numbersSeen(subscription.group)))).toEqual([
      [11, 12, 13, 22, 32],
      [11, 12, 13, 22, 32],
    ]);
  });

  test('sends again what waited in its outbox as what it was: consumers know it', async () => {
    pipeline = startPipeline(suite, both);
    await count(suite.store, 'maya', 11);
    await pipeline.idle();
    await suite.pool
      .query(`insert into es.outbox (pos, shard, partition_key, event_id, org_id, type, version, data, causes, occurred_at)
      select pos, es.shard_of('maya'), 'maya', event_id, org_id, type, 1, data, '{}', now() from (
        select 1 as pos, gen_random_uuid() as event_id, gen_random_uuid() as org_id, 'Counted' as type, '{"n": 11}'::json as data) e`);
    await suite.owner.query('select es.begin_epoch()');
    pipeline.relay.notify();
    await pipeline.idle();
    expect(await numbersSeen('one-by-one')).toEqual([11]);
  });
});

describe('a partition that another process has claimed', () => {
  test('commits nothing of the process that had it before', async () => {
    const [group] = groupsOf([seeing('one-by-one')]);
    if (!group) throw new Error('no group');
    const partition = { topic: topics.activity.name, partition: 3 };
    const claimIt = (member: string) =>
      withSystem(suite.pool, (tx) => claimPartitions(tx, group.name, member, [partition]));
    const [claim] = await claimIt('frozen');
    await claimIt('awake');
    if (!claim) throw new Error('nothing claimed');
    const messages = [{ key: 'key-1', offset: 0, value: Buffer.from(envelope('key-1', 1)), headers: {} }];
    const tools = { pool: suite.pool, group, frozenAfterMs: 1_000 };
    const request = { partitionBatches: [{ claim, messages }], isIsolated: false, attempt: 1 };
    await expect(applyBatch(tools, request)).rejects.toThrow(Fenced);
    expect(await seenBy(suite.owner, group.name)).toEqual([]);
    const [latest] = await claimIt('awake');
    expect(latest).toMatchObject({ nextOffset: 0, epoch: claim.epoch + 2 });
  });
});

describe('a message that cannot be applied', () => {
  test.each([
    ['is not JSON', 'message/not-json', '{"id":'],
    ['has no envelope', 'message/bad-envelope', '{"id":7}'],
    ['carries another key than its own', 'message/wrong-key', envelope('other', 2)],
    ['comes in a version nobody here knows', 'message/unknown-version', envelope('bad', 2, { version: 2 })],
    ['breaks its contract', 'message/bad-data', envelope('bad', 2, { data: { n: 'two' } })],
  ])('one that %s parks its key; other keys flow', async (_, code, value) => {
    pipeline = startPipeline(suite, [seeing('one-by-one')]);
    await send('bad', envelope('bad', 1), value, envelope('bad', 3));
    await send('good', envelope('good', 4), envelope('good', 5));
    await pipeline.idle();
    expect((await seenBy(suite.owner, 'one-by-one')).map(({ position }) => position).sort()).toEqual([1, 4, 5]);
    const parked = await parkedRows(suite.pool);
    expect(parked.map(({ key, errorCode }) => `${key} ${errorCode}`)).toEqual([`bad ${code}`, 'bad key/parked']);
  });

  test('one of a type that the group does not handle is passed by, and counts as applied', async () => {
    pipeline = startPipeline(suite, [seeing('one-by-one')]);
    await send('good', envelope('good', 1), envelope('good', 2, { type: 'Uncounted' }));
    await pipeline.idle();
    expect(await parkedRows(suite.pool)).toEqual([]);
    // Without a watermark a message has a row of its key.
    const { rows } = await suite.pool.query('select key, service, position from msg.applied');
    expect(rows).toEqual([{ key: 'good', service: 'activity', position: 2 }]);
  });

  test('one that trips over a defect is tried three times before its key is parked', async () => {
    let tries = 0;
    pipeline = startPipeline(suite, [
      failing('one-by-one', (n) => {
        if (n !== 2) return;
        tries += 1;
        throw new TypeError('no such thing');
      }),
    ]);
    await send('bad', envelope('bad', 1), envelope('bad', 2), envelope('bad', 3));
    await send('good', envelope('good', 4));
    await pipeline.idle();
    // The third try is repeated message by message, to know which one it is. One in company with others counts for none.
    expect([4, 5]).toContain(tries);
    expect(await parkedRows(suite.pool)).toMatchObject([
      { n: 2, errorCode: 'TypeError' },
      { n: 3, attempts: 0 },
    ]);
    expect((await seenBy(suite.owner, 'one-by-one')).map(({ position }) => position).sort()).toEqual([1, 4]);
  });

  test('one that meets an outage is tried until it passes; nothing is parked, nothing overtakes it', async () => {
    let outages = 5;
    pipeline = startPipeline(suite, [
      failing('one-by-one', (n) => {
        if (n === 2 && outages-- > 0) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      }),
    ]);
    await send('key', envelope('key', 1), envelope('key', 2), envelope('key', 3));
    await pipeline.idle();
    expect(await parkedRows(suite.pool)).toEqual([]);
    expect((await seenBy(suite.owner, 'one-by-one')).map(({ position }) => position)).toEqual([1, 2, 3]);
  });
});

describe('effects after the commit', () => {
  test('run once for each applied message, and never for one that was undone', async () => {
    const effects: number[] = [];
    const handler = failing('one-by-one', (n) => {
      if (n === 2) throw new TypeError('no such thing');
    });
    pipeline = startPipeline(suite, [
      {
        ...handler,
        handle: async (event, batch) => {
          batch.afterCommit(() => void effects.push(event.position));
          await handler.handle(event, batch);
        },
      },
    ]);
    await send('bad', envelope('bad', 1), envelope('bad', 2), envelope('bad', 3));
    await pipeline.idle();
    await eventually(() => expect(effects).toEqual([1]));
  });
});

/** Sees every number, after it has failed on those it is told to. */
function failing(group: string, fail: (n: number) => void): Handler {
  const { subscription, handle } = seeing(group);
  return {
    subscription,
    handle: async (event, batch) => {
      await handle(event, batch);
      fail((event.data as { n: number }).n);
    },
  };
}
