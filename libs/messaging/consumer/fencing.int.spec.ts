import { topics } from '@caravan/contracts/events/topics';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { groupsOf } from './consumer.ts';
import { GroupConsumer } from './group-consumer.ts';
import { topicsOf } from './kafka-batch-server.ts';
import type { IncomingBatch, Kafka } from '../kafka/kafka-port.ts';
import { createKafka } from '../kafka/kafka.ts';
import { seeing, seenBy } from '../testing/counting.ts';
import { envelope } from '../testing/envelope.ts';
import { failNextJoin, joinErrors } from '../testing/failing-requests.ts';
import { silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const patiently = { timeout: 60_000, interval: 25 };
const place = { topic: topics.activity.name, partition: 0 };
const group = 'fenced';

let suite: Suite;
let closing: (() => Promise<unknown>)[] = [];
let position = 0;
/** Rebalances that gave the partition to a process; each claims it once. */
let assigned: string[] = [];

beforeEach(async () => {
  position = 0;
  assigned = [];
  suite = await openSuite(testServers().kafka[0] ?? '');
  await suite.kafka.ensureTopics([{ ...topics.activity, partitions: 1 }]);
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
  await suite.close();
});

const publish = () => {
  position += 1;
  return suite.kafka.send(topics.activity.name, [{ key: 'maya', value: envelope('maya', position) }]);
};
const positionsSeen = async () => (await seenBy(suite.owner, group)).map((seen) => seen.position);
const isApplied = () =>
  vi.waitFor(async () => {
    expect(await positionsSeen()).toEqual(Array.from({ length: position }, (_, nth) => nth + 1));
  }, patiently);
async function epoch(): Promise<number> {
  const { rows } = await suite.pool.query<{ epoch: number }>(
    'select epoch from msg.offsets where consumer_group = $1',
    [group],
  );
  return rows[0]?.epoch ?? 0;
}

/** Work that is held until it may go on, at the points where a process may be stopped. */
class Gate {
  private opened = Promise.withResolvers<void>();
  isClosed = false;
  waiting = 0;

  close(): void {
    this.opened = Promise.withResolvers();
    this.isClosed = true;
  }

  open(): void {
    this.isClosed = false;
    this.opened.resolve();
  }

  async pass(): Promise<void> {
    if (!this.isClosed) return;
    this.waiting += 1;
    await this.opened.promise;
  }
}

/** A process of the group. A stopped process sends nothing: neither what it has in hand nor a heartbeat. */
function startProcess(name: string) {
  const { address } = suite;
  const timing = { sessionTimeoutMs: 6_000, heartbeatMs: 500, maxWaitMs: 100 };
  const inner = createKafka({ brokers: [address.kafka], clientId: name, prefix: address.prefix, ...timing }, silent);
  const beforeBatch = new Gate();
  const amidBatch = new Gate();
  const isStopped = () => beforeBatch.isClosed || amidBatch.isClosed;
  const stoppable = (batch: IncomingBatch): IncomingBatch => ({
    ...batch,
    heartbeat: () => (isStopped() ? Promise.resolve() : batch.heartbeat()),
  });
  const kafka: Kafka = {
    ...inner,
    consume: (groupName, names, events, options) =>
      inner.consume(
        groupName,
        names,
        {
          ...events,
          onAssigned: (member, partitions, seek) => {
            if (partitions.length > 0) assigned.push(name);
            events.onAssigned(member, partitions, seek);
          },
          onBatch: async (batch) => {
            await beforeBatch.pass();
            await events.onBatch(stoppable(batch));
          },
        },
        options,
      ),
  };
  const { subscription, handle } = seeing(group);
  const [own] = groupsOf([
    {
      subscription,
      handle: async (event, context) => {
        await handle(event, context);
        await amidBatch.pass();
      },
    },
  ]);
  if (!own) throw new Error('There is no group.');
  const failed = vi.fn();
  const consumer = new GroupConsumer({
    group: own,
    topics: topicsOf(own),
    kafka,
    pool: suite.newPool(4),
    log: silent,
    metrics: {
      countRelayed: vi.fn(),
      countRefused: vi.fn(),
      observeApplied: vi.fn(),
      countParked: vi.fn(),
      countReplacement: vi.fn(),
      countFailure: failed,
    },
    settings: { frozenAfterMs: 1_000, maxBackoffMs: 200 },
  });
  consumer.start();
  closing.push(async () => {
    beforeBatch.open();
    amidBatch.open();
    await consumer.stop();
    await inner.close();
  });
  return { consumer, gates: { beforeBatch, amidBatch }, failed };
}

/** Messages go on, each claim of the partition follows a rebalance that gave it away, and both are members again. */
async function nobodyQuarrels(): Promise<void> {
  for (let nth = 0; nth < 10; nth += 1) {
    await publish();
    await isApplied();
  }
  expect(await epoch()).toBeLessThanOrEqual(assigned.length);
  await vi.waitFor(async () => {
    expect(await suite.kafka.describeGroups([group])).toEqual([{ group, state: 'Stable', members: 2 }]);
  }, patiently);
  await publish();
  await isApplied();
  expect(await epoch()).toBeLessThanOrEqual(assigned.length);
}

describe('a process that was stopped with a batch in hand, and wakes up when another has its partition', () => {
  test.each([
    ['beforeBatch', 'fenced'],
    ['amidBatch', 'transient'],
  ] as const)(
    '[F03] applies nothing twice and yields, stopped %s (its batch is %s)',
    async (where, reason) => {
      const stopped = startProcess('stopped');
      await publish();
      await isApplied();
      const gate = stopped.gates[where];
      gate.close();
      await publish();
      await vi.waitFor(() => expect(gate.waiting).toBe(1), patiently);
      const awake = startProcess('awake');
      await vi.waitFor(() => expect(awake.consumer.hasClaimed(place)).toBe(true), patiently);
      await publish();
      await isApplied();
      const before = await epoch();
      gate.open();
      await vi.waitFor(() => expect(stopped.failed).toHaveBeenCalledWith(group, reason), patiently);
      await nobodyQuarrels();
      expect(before).toBe(2);
      expect(awake.failed).not.toHaveBeenCalled();
    },
    120_000,
  );
});

describe('a process whose join failed after its coordinator had forgotten it', () => {
  test('[F03] does not take its partition back from the process that has it now', async () => {
    startProcess('forgotten');
    await publish();
    await isApplied();
    const error = joinErrors.GROUP_LOAD_IN_PROGRESS;
    if (!error) throw new Error('There is no such error.');
    const fault = failNextJoin(suite.address.prefix + group, { step: 'joinGroup', error, clientId: 'forgotten' });
    await vi.waitFor(() => expect(fault.hasFailed()).toBe(true), patiently);
    startProcess('another');
    await vi.waitFor(() => expect(assigned).toContain('another'), patiently);
    await nobodyQuarrels();
  }, 120_000);
});
