import type { ServiceName } from '@caravan/contracts/events/topics';
import { eventually } from '@caravan/event-store/testing/eventually';
import { isOnlyReading, onlyReading } from '@caravan/event-store/postgres/reading';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { partitionOf } from '../kafka/kafka.ts';
import { Positions } from './positions.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const at = (position: number, epoch = 0) => ({ epoch, position });
const keys = { userId: 'maya', orgId: 'acme' };
const groups = [
  { name: 'social.feed', follows: new Set<ServiceName>(['activity']) },
  { name: 'social.names', follows: new Set<ServiceName>(['identity']) },
];

let suite: Suite;
let positions: Positions;

beforeEach(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  positions = new Positions({ service: 'social', pool: suite.pool });
  positions.follow(groups);
});
afterEach(() => suite.close());

const elsewhere = (group: string, key: string, service: ServiceName, position: number) =>
  suite.pool.query('insert into msg.applied (consumer_group, key, service, position) values ($1, $2, $3, $4)', [
    group,
    key,
    service,
    position,
  ]);

describe('waiting for a position', () => {
  test('of a log that was restored waits for its new epoch, however far the old one was applied', async () => {
    await elsewhere('social.feed', 'maya', 'activity', 99);
    const waiting = positions.waitFor({ activity: at(7, 2) }, keys, 20_000);
    positions.recordApplied('social.feed', [{ key: 'maya', service: 'activity', ...at(100, 1) }]);
    expect(await positions.waitFor({ activity: at(7, 2) }, keys, 60)).toEqual(['activity']);
    positions.recordApplied('social.feed', [{ key: 'maya', service: 'activity', ...at(7, 2) }]);
    expect(await waiting).toEqual([]);
  });

  test('ends as soon as this process has applied it', async () => {
    const waiting = positions.waitFor({ activity: at(7) }, keys, 20_000);
    positions.recordApplied('social.feed', [{ key: 'maya', service: 'activity', epoch: 0, position: 6 }]);
    positions.recordApplied('social.feed', [{ key: 'omar', service: 'activity', epoch: 0, position: 9 }]);
    expect(await Promise.race([waiting, Promise.resolve('waiting')])).toBe('waiting');
    positions.recordApplied('social.feed', [{ key: 'maya', service: 'activity', epoch: 0, position: 8 }]);
    expect(await waiting).toEqual([]);
    expect(await positions.waitFor({ activity: at(8) }, keys, 0)).toEqual([]);
  });

  test('ends when another process has applied it', async () => {
    const waiting = positions.waitFor({ activity: at(7), identity: at(3) }, keys, 20_000);
    await elsewhere('social.feed', 'maya', 'activity', 7);
    await elsewhere('social.names', 'acme', 'identity', 4);
    expect(await waiting).toEqual([]);
  });

  test('waiting for a message ends when another process has handled it, and not while its key is parked', async () => {
    const partition = partitionOf('maya', 24);
    const shard = (await suite.pool.query<{ shard: number }>("select es.shard_of('maya')::int as shard")).rows[0]
      ?.shard;
    await suite.pool.query(
      `insert into msg.offsets (consumer_group, topic, partition_id)
       select 'social.feed', 'activity.v1', nth from generate_series(0, 23) as nth`,
    );
    const receive = (nth: number, received: unknown, at = partition) =>
      suite.pool.query(
        `insert into msg.progress (consumer_group, topic, partition_id, nth, next_offset, received)
         values ('social.feed', 'activity.v1', $1, $2, 0, $3)`,
        [at, nth, JSON.stringify(received)],
      );
    const wait = (position: number) => positions.waitFor({ activity: at(position) }, keys, 60);
    await receive(1, [[[shard, 0, 99]], [['maya', 0, 99, shard]]], (partition + 1) % 24);
    await receive(1, [[], [['omar', 0, 9, shard]]]);
    expect(await wait(7)).toEqual(['activity']);
    await receive(2, [[[shard, 0, 4]], [['maya', 0, 7, shard]]]);
    await eventually(async () => expect(await wait(7)).toEqual([]));
    await receive(3, [[[shard, 0, 9]], []]);
    await eventually(async () => expect(await wait(9)).toEqual([]));
    await receive(4, [[[shard, 0, 12]], []]);
    await suite.pool.query(
      `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, position, error_code, error_message)
       values ('social.feed', 'activity', 'maya', 'activity.v1', $1, 0, 11, 'some/code', 'because')`,
      [partition],
    );
    await eventually(async () => expect(await wait(10)).toEqual([]));
    expect(await wait(11)).toEqual(['activity']);
  });

  test('ends stale when the time is over: the organisation counts for identity, the person for the others', async () => {
    await elsewhere('social.names', 'maya', 'identity', 9);
    await elsewhere('social.feed', 'acme', 'activity', 9);
    expect(await positions.waitFor({ identity: at(5) }, keys, 60)).toEqual(['identity']);
    expect(await positions.waitFor({ activity: at(5) }, keys, 60)).toEqual(['activity']);
  });

  test('tells which services it knows too little of', async () => {
    await elsewhere('social.names', 'acme', 'identity', 4);
    expect(await positions.waitFor({ identity: at(4), activity: at(5) }, keys, 60)).toEqual(['activity']);
    expect(await positions.waitFor({ identity: at(5), activity: at(5) }, keys, 60)).toEqual(['identity', 'activity']);
  });

  test('ends stale at once when the key is parked', async () => {
    await suite.pool.query(
      `insert into msg.parked (consumer_group, service, key, topic, partition_id, message_offset, error_code, error_message)
       values ('social.feed', 'activity', 'maya', 'activity.v1', 0, 0, 'some/code', 'because')`,
    );
    expect(await positions.waitFor({ activity: at(5) }, keys, 60_000)).toEqual(['activity']);
  });

  test('is not needed for what this service wrote itself or does not read', async () => {
    expect(await positions.waitFor({ social: at(99), scoring: at(99), integrations: at(99) }, keys, 0)).toEqual([]);
  });

  test('asks the database rarely for what this process hears itself', async () => {
    const follow = (isHeard: boolean) => positions.follow(groups, () => isHeard);
    await suite.pool.query(
      `insert into msg.offsets (consumer_group, topic, partition_id) values ('social.feed', 'activity.v1', 0)`,
    );
    await elsewhere('social.feed', 'maya', 'activity', 4);
    follow(true);
    expect(await positions.waitFor({ activity: at(4) }, keys, 20_000)).toEqual([]);
    await suite.pool.query("update msg.applied set position = 5 where key = 'maya'");
    expect(await positions.waitFor({ activity: at(5) }, keys, 60)).toEqual(['activity']);
    positions.recordApplied('social.feed', [{ key: 'maya', service: 'activity', ...at(5) }]);
    await suite.pool.query("update msg.applied set position = 6 where key = 'maya'");
    follow(false);
    expect(await positions.waitFor({ activity: at(6) }, keys, 20_000)).toEqual([]);
  });

  test('[ADR-0030] is for all who wait, whatever holds for the request that began it', async () => {
    const seen: boolean[] = [];
    const query = () => {
      seen.push(isOnlyReading());
      return Promise.resolve({ rows: [], rowCount: 0 });
    };
    const asked = new Positions({ service: 'social', pool: { query } });
    asked.follow(groups);
    await onlyReading(() => asked.waitFor({ activity: at(7) }, keys, 60));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).not.toContain(true);
  });

  test('outlives a database that is away', async () => {
    const broken = new Positions({ service: 'social', pool: { query: () => Promise.reject(new Error('away')) } });
    broken.follow(groups);
    const waiting = broken.waitFor({ activity: at(1) }, keys, 20_000);
    broken.recordApplied('social.feed', [{ key: 'maya', service: 'activity', epoch: 0, position: 1 }]);
    expect(await waiting).toEqual([]);
  });

  test('is left out while its source brings nothing: the first waits, the next ones know', async () => {
    expect(await positions.waitFor({ activity: at(5) }, keys, 60)).toEqual(['activity']);
    expect(positions.silentSources).toEqual([{ group: 'social.feed', service: 'activity' }]);
    const omar = { ...keys, userId: 'omar' };
    // Whoever had to wait would wait longer than this test may take.
    expect(await positions.waitFor({ activity: at(5) }, omar, 3_600_000)).toEqual(['activity']);
    await elsewhere('social.names', 'acme', 'identity', 4);
    expect(await positions.waitFor({ identity: at(4) }, omar, 3_600_000)).toEqual([]);

    positions.recordApplied('social.feed', [{ key: 'ada', service: 'activity', ...at(6) }]);
    expect(positions.silentSources).toEqual([]);
    const waiting = positions.waitFor({ activity: at(7) }, omar, 3_600_000);
    positions.recordApplied('social.feed', [{ key: 'omar', service: 'activity', ...at(7) }]);
    expect(await waiting).toEqual([]);
  });

  test('[S18] is left out also while the database says nothing', async () => {
    const hanging = new Positions({ service: 'social', pool: { query: () => new Promise(() => undefined) } });
    hanging.follow(groups);
    expect(await hanging.waitFor({ activity: at(5) }, keys, 60)).toEqual(['activity']);
    expect(await hanging.waitFor({ activity: at(5) }, { ...keys, userId: 'omar' }, 3_600_000)).toEqual(['activity']);
  });

  test('is waited for again once another process hears the source', async () => {
    await elsewhere('social.feed', 'maya', 'activity', 4);
    expect(await positions.waitFor({ activity: at(5) }, keys, 60)).toEqual(['activity']);
    expect(await positions.waitFor({ activity: at(5) }, keys, 3_600_000)).toEqual(['activity']);
    await suite.pool.query("update msg.applied set position = 5 where key = 'maya'");
    await eventually(async () => expect(await positions.waitFor({ activity: at(5) }, keys, 3_600_000)).toEqual([]));
    expect(positions.silentSources).toEqual([]);
  });
});
