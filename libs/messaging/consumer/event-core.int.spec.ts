import { setTimeout as sleep } from 'node:timers/promises';
import { casesOf } from '@caravan/contracts/testing/full';
import { random } from '@caravan/contracts/testing/seeded';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { groupsOf } from './consumer.ts';
import { stateOf } from '../operator/state-metrics.ts';
import { type Broker, startBroker } from '../testing/broker.ts';
import { count, faultsOf, readLogged, noFaults, seeing, seeingTogether, seenBy } from '../testing/counting.ts';
import { startPipeline } from '../testing/pipeline.ts';
import { relayNaively } from '../testing/naive-relay.ts';
import { openSuite, type Suite } from '../testing/suite.ts';
import { type Replica, startReplica } from '../testing/start-replica.ts';
import { write } from '../testing/writers.ts';
import { topicsOf } from './kafka-batch-server.ts';

const groups = groupsOf([seeing('one-by-one'), seeingTogether('together')]);
const patiently = { timeout: 120_000, interval: 200 };

let broker: Broker;
let suite: Suite;
let replicas: Replica[] = [];
let over: AbortController;

beforeAll(async () => {
  broker = await startBroker();
});
afterAll(() => broker.close());
beforeEach(async () => {
  over = new AbortController();
  suite = await openSuite(broker.address);
  await suite.kafka.ensureTopics(groups.flatMap(topicsOf));
});
afterEach(async () => {
  over.abort();
  await Promise.all(replicas.map((replica) => replica.kill()));
  replicas = [];
  await suite.close();
});

/** What both groups did wrong, once they have had every chance to do it. */
async function faultsWhenDone() {
  // Of its own: connections of the suite's pool may have been shot without having noticed yet.
  const pool = suite.newPool(1);
  const truth = await readLogged(pool);
  const state = stateOf(pool, suite.kafka, () => groups);
  await vi.waitFor(async () => {
    expect((await state.backlog()).rows).toBe(0);
    expect((await state.lag()).filter(({ messages }) => messages > 0)).toEqual([]);
  }, patiently);
  return Promise.all(groups.map(async ({ name }) => faultsOf(truth, await seenBy(suite.owner, name))));
}

describe('the event core under fire', () => {
  test('every event arrives exactly once and in order per key, whoever is killed', async () => {
    replicas = await startReplicas(3);
    const events = casesOf({ core: 2_500, full: 10_000 });
    const writing = write(suite, { events, writers: 16 });
    await Promise.all([writing, killAtRandom(writing)]);
    expect((await readLogged(suite.newPool(1))).length).toBeGreaterThanOrEqual(events);
    expect(await faultsWhenDone()).toEqual([noFaults, noFaults]);
  }, 300_000);

  test('a relay that only remembers its last position fails the same check', async () => {
    const pipeline = startPipeline(suite, [seeingTogether('together'), seeing('one-by-one')]);
    await pipeline.relay.stop();
    const writing = write(suite, { events: casesOf({ core: 1_500, full: 4_000 }), writers: 16 });
    await relayNaively(suite, writing);
    await suite.pool.query('delete from es.outbox');
    const [faults] = await faultsWhenDone();
    expect(faults?.missing).toBeGreaterThan(0);
    await pipeline.stop();
  }, 300_000);

  test('a consumer that was frozen and wakes up cannot apply anything a second time', async () => {
    replicas = await startReplicas(2);
    const writing = write(suite, {
      events: casesOf({ core: 1_500, full: 6_000 }),
      writers: 4,
      atLeastUntil: over.signal,
    });
    for (const zombie of replicas) {
      await vi.waitFor(async () => expect(await consumersAtWork()).toEqual([2, 2]), patiently);
      zombie.process.kill('SIGSTOP');
      await vi.waitFor(async () => expect(await consumersAtWork()).toEqual([1, 1]), patiently);
      zombie.process.kill('SIGCONT');
    }
    over.abort();
    await writing;

    expect(await faultsWhenDone()).toEqual([noFaults, noFaults]);
  }, 300_000);

  test('while Kafka is away commands are taken as ever, and everything arrives when it is back', async () => {
    const pipeline = startPipeline(suite, [seeing('one-by-one'), seeingTogether('together')], {
      sessionTimeoutMs: 2_000,
    });
    await write(suite, { events: 500, writers: 4 });
    await broker.kill();
    await write(suite, { events: 500, writers: 4 });
    await count(suite.store, 'the-last', 1);
    expect((await stateOf(suite.pool, suite.kafka, () => []).backlog()).rows).toBeGreaterThan(0);
    await broker.restart();
    expect(await faultsWhenDone()).toEqual([noFaults, noFaults]);
    await pipeline.stop();
  }, 300_000);
});

/** How many processes have claimed partitions, by group. */
async function consumersAtWork(): Promise<number[]> {
  const { rows } = await suite.pool.query<{ members: number }>(
    'select count(distinct claimed_by)::int as members from msg.offsets group by consumer_group',
  );
  return rows.map(({ members }) => members);
}

const startReplicas = (count: number) => Promise.all(Array.from({ length: count }, () => startReplica(suite.address)));

/** Until the writing ends, and six times at least: a replica by SIGKILL, three database connections; the broker once. */
async function killAtRandom(writing: Promise<void>): Promise<void> {
  void writing.finally(() => over.abort());
  const executioner = suite.newPool(1);
  for (let round = 0; round < 6 || !over.signal.aborted; round += 1) {
    await sleep(200 + random() * 200);
    const index = round % replicas.length;
    await replicas[index]?.kill();
    replicas[index] = await startReplica(suite.address);
    await executioner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid() order by random() limit 3`,
    );
    if (round === 2) {
      await broker.kill();
      await broker.restart();
    }
  }
}
