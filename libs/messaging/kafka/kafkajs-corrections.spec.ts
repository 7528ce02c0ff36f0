import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { correctKafkajs, type InnerClasses } from './kafkajs-corrections.ts';

type Queue = { checkPendingRequests(): void };
type Group = { memberId: string | null; heartbeat(options: { interval: number }): Promise<void> };
type FreshClasses = InnerClasses & {
  readonly RequestQueue: new (options: object) => Queue;
  readonly ConsumerGroup: new (options: object) => Group;
};

const require = createRequire(import.meta.url);

/** Loads a second copy of an inner file: other specs of this worker may have corrected the first. */
function freshCopy(file: string): unknown {
  const path = require.resolve(file);
  const loaded = require.cache[path];
  Reflect.deleteProperty(require.cache, path);
  try {
    return require(path);
  } finally {
    require.cache[path] = loaded;
  }
}

const fresh = (): FreshClasses => ({
  RequestQueue: freshCopy('kafkajs/src/network/requestQueue/index.js') as FreshClasses['RequestQueue'],
  ConsumerGroup: freshCopy('kafkajs/src/consumer/consumerGroup.js') as FreshClasses['ConsumerGroup'],
});

const logger = { debug: () => undefined, namespace: () => ({}) };

/** The checks that an idle connection's queue makes in a second. */
function checksInASecond({ RequestQueue }: FreshClasses): number {
  const idle = new RequestQueue({ logger });
  const check = vi.spyOn(idle, 'checkPendingRequests');
  idle.checkPendingRequests();
  vi.advanceTimersByTime(1_000);
  return check.mock.calls.length;
}

/** A group that has dropped its member id and has not joined again; it has no coordinator that it could ask. */
const heartbeatOfNoMember = ({ ConsumerGroup }: FreshClasses): Promise<void> =>
  new ConsumerGroup({ logger, topics: [] }).heartbeat({ interval: 0 });

function correctedClasses(): FreshClasses {
  const classes = fresh();
  correctKafkajs(classes);
  return classes;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('kafkajs without its correction', () => {
  test('unpatched kafkajs checks the request queue of an idle connection every millisecond', () => {
    expect(checksInASecond(fresh())).toBeGreaterThan(500);
    expect(checksInASecond(correctedClasses())).toBe(1);
  });

  test('unpatched kafkajs reports success for a heartbeat that it did not send', async () => {
    await expect(heartbeatOfNoMember(fresh())).resolves.toBeUndefined();
    await expect(heartbeatOfNoMember(correctedClasses())).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
  });
});
