import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@caravan/contracts/events/topics';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Broker, startBroker } from '../testing/broker.ts';
import { count, faultsOf, readLogged, noFaults, seeing, seenBy } from '../testing/counting.ts';
import { type Pipeline, startPipeline } from '../testing/pipeline.ts';
import { openSuite, type Suite } from '../testing/suite.ts';

const patiently = { timeout: 90_000, interval: 25 };
const names = Array.from({ length: 12 }, (_, nth) => `group-${nth}`);
const keys = ['ida', 'maya', 'omar'];
const hangs = 3;
/** Longer than the sessions of the members, and than the broker's own session with its controller. */
const hangsForMs = 5_000;

let broker: Broker;
let suite: Suite;
let pipeline: Pipeline;
let last = 0;

beforeAll(async () => {
  broker = await startBroker();
  suite = await openSuite(broker.address);
  await suite.kafka.ensureTopics([topics.activity]);
  pipeline = startPipeline(suite, names.map(seeing), { sessionTimeoutMs: 1_500 });
});
afterAll(async () => {
  await pipeline.stop();
  await suite.close();
  await broker.close();
});

async function write(): Promise<void> {
  for (const key of keys) await count(suite.store, key, (last += 1));
}

const everyGroupHasItsMember = () =>
  vi.waitFor(async () => {
    const described = await suite.kafka.describeGroups(names);
    expect(described.filter(({ state, members }) => state !== 'Stable' || members !== 1)).toEqual([]);
  }, patiently);

describe('consumer groups after a broker that hung', () => {
  test('[F04] all have their member again, and have applied every message once', async () => {
    await write();
    await vi.waitFor(() => pipeline.idle(), patiently);
    for (let nth = 0; nth < hangs; nth += 1) {
      broker.freeze();
      await write();
      await sleep(hangsForMs);
      broker.thaw();
      await everyGroupHasItsMember();
      await write();
      // A group that Kafka calls stable may apply nothing.
      await vi.waitFor(() => pipeline.idle(), patiently);
    }
    const truth = await readLogged(suite.pool);
    expect(truth).toHaveLength(last);
    const faults = await Promise.all(names.map(async (name) => faultsOf(truth, await seenBy(suite.owner, name))));
    expect(faults).toEqual(names.map(() => noFaults));
  }, 600_000);
});
