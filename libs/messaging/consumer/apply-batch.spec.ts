import { expect, test } from 'vitest';
import { memberErased } from '@caravan/contracts/events/identity.events';
import { publicEvent } from '@caravan/contracts/events/envelope';
import { z } from 'zod';
import { batchesTogether, type BatchOutcome, heardOf, type PartitionBatch } from './apply-batch.ts';
import { groupsOf } from './consumer.ts';
import { envelope } from '../testing/envelope.ts';

const partitionBatchOf = (partition: number, messages = 1): PartitionBatch => ({
  claim: { topic: 'activity.v1', partition, epoch: 1, nextOffset: 0 },
  messages: Array.from({ length: messages }, (_, offset) => ({
    key: `${partition}`,
    offset,
    value: null,
    headers: {},
  })),
});

/** A coalescer whose transactions are written down; `broken` partitions fail wherever they are, `away` fails the nth one. */
function watchBatch({
  maxMessages = 500,
  broken = [] as readonly number[],
  away = (_transaction: number): boolean => false,
} = {}) {
  const transactions: number[][] = [];
  const settled: BatchOutcome[] = [];
  const coalescer = batchesTogether({
    maxMessages,
    apply: (partitionBatches) => {
      const partitions = partitionBatches.map(({ claim }) => claim.partition);
      transactions.push(partitions);
      if (away(transactions.length)) return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
      if (partitions.some((partition) => broken.includes(partition))) return Promise.reject(new Error('broken'));
      const nextOffsets = partitionBatches.map(({ messages }) => messages.length);
      return Promise.resolve({ nextOffsets, applied: [], parkedMessages: 0, occurredAt: [], afterCommit: [] });
    },
    settle: (outcome) => {
      settled.push(outcome);
      return Promise.resolve();
    },
  });
  return { coalescer, transactions, settled };
}

test('what arrives together shares one transaction, and each partition learns where it goes on', async () => {
  const { coalescer, transactions, settled } = watchBatch();
  const ends = await Promise.all([
    coalescer.add(partitionBatchOf(1, 2)),
    coalescer.add(partitionBatchOf(2, 5)),
    coalescer.add(partitionBatchOf(3)),
  ]);
  expect(ends).toEqual([2, 5, 1]);
  expect(transactions).toEqual([[1, 2, 3]]);
  expect(settled).toHaveLength(1);
});

test('what arrives while a transaction is under way travels with the next one', async () => {
  const { coalescer, transactions } = watchBatch();
  const first = coalescer.add(partitionBatchOf(1)).then(() => coalescer.add(partitionBatchOf(4)));
  await coalescer.add(partitionBatchOf(2));
  await Promise.all([first, coalescer.add(partitionBatchOf(3))]);
  expect(transactions[0]).toEqual([1, 2]);
  expect(transactions.flat().toSorted()).toEqual([1, 2, 3, 4]);
});

test('one that fails is tried alone and fails alone; the others are applied', async () => {
  const { coalescer, transactions, settled } = watchBatch({ broken: [2] });
  const ends = await Promise.allSettled([1, 2, 3].map((partition) => coalescer.add(partitionBatchOf(partition))));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(transactions).toEqual([[1, 2, 3], [1], [2], [3]]);
  expect(settled).toHaveLength(2);
});

test('while the database is away all fail at once, so that no member waits without a heartbeat for others to fail', async () => {
  const { coalescer, transactions } = watchBatch({ away: () => true });
  const ends = await Promise.allSettled([1, 2, 3].map((partition) => coalescer.add(partitionBatchOf(partition))));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(transactions).toEqual([[1, 2, 3]]);
});

test('when the database goes away while each is tried alone, those that are left fail at once too', async () => {
  const { coalescer, transactions } = watchBatch({ broken: [1], away: (transaction) => transaction === 3 });
  const ends = await Promise.allSettled([1, 2, 3, 4].map((partition) => coalescer.add(partitionBatchOf(partition))));
  expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : ''))).toEqual([
    'Error: broken',
    'Error: away',
    'Error: away',
    'Error: away',
  ]);
  expect(transactions).toEqual([[1, 2, 3, 4], [1], [2]]);
});

test('a transaction takes no more messages than it may, but never leaves one behind for good', async () => {
  const { coalescer, transactions } = watchBatch({ maxMessages: 10 });
  await Promise.all(
    [partitionBatchOf(1, 6), partitionBatchOf(2, 5), partitionBatchOf(3, 40)].map((partitionBatch) =>
      coalescer.add(partitionBatch),
    ),
  );
  expect(transactions).toEqual([[1], [2], [3]]);
});

test('of a topic that nobody waits for a group hears what it takes, erasures, and what it cannot read', () => {
  const subscription = {
    group: 'g',
    from: 'activity',
    contract: publicEvent('Counted', 1, z.object({ n: z.number() })),
  } as const;
  const [group] = groupsOf([{ subscription: { ...subscription, isAwaited: false }, handle: async () => undefined }]);
  if (!group) throw new Error('one was declared');
  const who = { userId: '0199b1f0-0000-7000-8000-000000000002', teamId: '0199b1f0-0000-7000-8000-000000000003' };
  const data = { ...who, wasActive: true, erasedAt: '2026-11-21T12:00:00.123Z' };
  const erased = { type: memberErased.type, data };
  const values = [
    envelope('maya', 1),
    envelope('maya', 2, { type: 'Elsewhere' }),
    envelope('maya', 3, erased),
    `{"type":"Elsewhere",${envelope('maya', 4).slice(1)}`,
    '{"id":"0199b1f0-0000-7000-8000-000000000001","type":"Elsewhere" and not parsed',
    '{',
  ];
  const messages = values.map((value, offset) => ({ key: 'maya', offset, value: Buffer.from(value), headers: {} }));
  const heard = heardOf(group, { topic: 'activity.v1', partition: 0 }, messages);
  expect(heard.map(({ offset }) => offset)).toEqual([0, 2, 3, 5]);
});
