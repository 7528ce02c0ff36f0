import { expect, test } from 'vitest';
import type { Assignment } from './consumer-offsets.ts';
import { BatchWorker, type BatchWorkerOptions, consumerDefaults } from './batch-worker.ts';
import { groupsOf } from './consumer.ts';
import type { IncomingBatch } from '../kafka/kafka-port.ts';
import { seeing } from '../testing/counting.ts';
import { silent } from '../testing/settings.ts';

const claim = { topic: 'activity.v1', partition: 0, epoch: 1, nextOffset: 0 };

/** A worker whose database is away. */
function strandedWorker(): BatchWorker {
  const [group] = groupsOf([seeing('group')]);
  const connect = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  const options = { group, pool: { connect }, log: silent, settings: consumerDefaults, onParked: () => undefined };
  return new BatchWorker(options as unknown as BatchWorkerOptions);
}

test('a partition that waits for another try is fetched again when the assignment ends before that', async () => {
  let isPaused = false;
  const batch = {
    topic: claim.topic,
    partition: 0,
    messages: [{ key: 'maya', offset: 0, value: null, headers: {} }],
    isRunning: () => true,
    isStale: () => false,
    pause: () => {
      isPaused = true;
      return () => (isPaused = false);
    },
  };
  const assignment = { claimed: Promise.resolve(), claimOf: () => claim };
  const worker = strandedWorker();
  await worker.work(batch as unknown as IncomingBatch, assignment as unknown as Assignment);
  expect(isPaused).toBe(true);
  worker.reset();
  expect(isPaused).toBe(false);
});
