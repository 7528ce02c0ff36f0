import { chooseCases } from '@caravan/contracts/testing/full';
import { topics } from '@caravan/contracts/events/topics';
import { eventually } from '@caravan/event-store/testing/eventually';
import { testServers } from '@caravan/service-kit/testing/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupsOf } from './consumer.ts';
import { GroupConsumer } from './group-consumer.ts';
import { topicsOf } from './kafka-batch-server.ts';
import type { Kafka } from '../kafka/kafka-port.ts';
import { seeing, seenBy } from '../testing/counting.ts';
import { envelope } from '../testing/envelope.ts';
import { failHeartbeats, failNextJoin, heartbeatErrors, joinErrors, joinSteps } from '../testing/failing-requests.ts';
import { hastyKafka, silent } from '../testing/settings.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const allJoins = joinSteps.flatMap((step, stepNth) =>
  Object.entries(joinErrors).map(([kind, error], nth) => {
    // Each error at one step and each step with several of them.
    const isCore = nth % joinSteps.length === stepNth;
    return { step, kind, error, isCore, group: `${step}-${nth}` };
  }),
);
const joins = chooseCases(
  allJoins,
  allJoins.filter(({ isCore }) => isCore),
);
const heartbeats = Object.entries(heartbeatErrors).map(([kind, error], nth) => ({
  kind,
  error,
  group: `heartbeat-${nth}`,
}));

let suite: Suite;
let kafka: Kafka;
let consumers: readonly GroupConsumer[] = [];
let position = 0;
const failedBatches = new Set<string>();
const joinsOf = new Map<string, number>();

let publishing = Promise.resolve();

/** One message, which all groups see: one after the other, since a group drops what comes behind a later position. */
function publish(): Promise<number> {
  position += 1;
  const own = position;
  publishing = publishing.then(() =>
    suite.kafka.send(topics.activity.name, [{ key: 'maya', value: envelope('maya', own) }]),
  );
  return publishing.then(() => own);
}

const positionsOf = async (group: string) => (await seenBy(suite.owner, group)).map((seen) => seen.position);

const hasSeen = async (group: string, last: number) => ((await positionsOf(group)).at(-1) ?? 0) >= last;

/** Tells which groups' batches have thrown, and how often a group was given partitions. */
function noting(inner: Kafka): Kafka {
  return {
    ...inner,
    consume: (group, names, events, options) => {
      const onBatch: typeof events.onBatch = async (batch) => {
        try {
          await events.onBatch(batch);
        } catch (error) {
          failedBatches.add(group);
          throw error;
        }
      };
      const onAssigned: typeof events.onAssigned = (...given) => {
        joinsOf.set(group, (joinsOf.get(group) ?? 0) + 1);
        events.onAssigned(...given);
      };
      return inner.consume(group, names, { ...events, onAssigned, onBatch }, options);
    },
  };
}

/** Each of the two partitions of the topic is this process's, and what was published has been applied once. */
async function works(group: string): Promise<void> {
  const last = await publish();
  const consumer = consumers.find(({ groupName }) => groupName === group);
  await eventually(async () => {
    expect(await hasSeen(group, last)).toBe(true);
    for (const partition of [0, 1]) expect(consumer?.hasClaimed({ topic: topics.activity.name, partition })).toBe(true);
    expect(await kafka.describeGroups([group])).toEqual([{ group, state: 'Stable', members: 1 }]);
  });
  const seen = await positionsOf(group);
  expect(seen).toEqual(Array.from(seen, (_, nth) => nth + 1));
}

beforeAll(async () => {
  suite = await openSuite(testServers().kafka[0] ?? '');
  kafka = hastyKafka(suite.address, 6_000);
  await suite.kafka.ensureTopics([{ ...topics.activity, partitions: 2 }]);
  const pool = suite.newPool(4);
  consumers = groupsOf([...joins, ...heartbeats].map(({ group }) => seeing(group))).map(
    (group) => new GroupConsumer({ group, topics: topicsOf(group), kafka: noting(kafka), pool, log: silent }),
  );
  for (const consumer of consumers) consumer.start();
  await Promise.all(consumers.map(({ groupName }) => works(groupName)));
}, 120_000);

afterAll(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await kafka.close();
  await suite.close();
});

describe('[F04] a consumer group whose coordinator has forgotten its member', () => {
  test.concurrent.each(joins)(
    'is a member again and applies messages after its $step met $kind',
    async ({ group, step, error }) => {
      const before = joinsOf.get(group) ?? 0;
      const fault = failNextJoin(suite.address.prefix + group, { step, error });
      await eventually(() => expect(fault.hasFailed()).toBe(true));
      // The coordinator counts the old member until its session ends, so the group looks well without a join.
      await eventually(() => expect(joinsOf.get(group)).toBeGreaterThan(before));
      await works(group);
    },
    60_000,
  );
});

describe('[F04] a consumer group whose heartbeat fails amid a batch', () => {
  test.concurrent.each(heartbeats)(
    'is a member and applies messages after $kind',
    async ({ group, error }) => {
      const before = joinsOf.get(group) ?? 0;
      const heal = failHeartbeats(suite.address.prefix + group, error);
      // Some errors make the client join again, which may be before a batch meets them.
      const isMet = () => failedBatches.has(group) || (joinsOf.get(group) ?? 0) > before;
      try {
        while (!isMet()) {
          const last = await publish();
          await eventually(async () => expect(isMet() || (await hasSeen(group, last))).toBe(true));
        }
      } finally {
        heal();
      }
      await works(group);
    },
    60_000,
  );
});
