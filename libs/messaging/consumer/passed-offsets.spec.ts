import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Fenced, type PartitionClaim } from './consumer-offsets.ts';
import { PassedOffsets } from './passed-offsets.ts';

const claimOf = (partition: number): PartitionClaim => ({ topic: 'scoring.v1', partition, epoch: 1, nextOffset: 0 });
const first = claimOf(0);
const second = claimOf(1);

let recorded: number[][];
let refuse: (partitions: readonly number[]) => Error | undefined;
let passed: PassedOffsets;

beforeEach(() => {
  vi.useFakeTimers();
  recorded = [];
  refuse = () => undefined;
  passed = new PassedOffsets({
    afterMs: 1_000,
    record: (claims) => {
      const partitions = claims.map(({ partition }) => partition);
      const refused = refuse(partitions);
      if (refused) return Promise.reject(refused);
      recorded.push(partitions);
      return Promise.resolve();
    },
  });
});
afterEach(() => vi.useRealTimers());

test('offsets of messages that no handler takes are stored once a second, for all partitions together', async () => {
  for (let offset = 1; offset <= 500; offset += 1) passed.pass(offset % 2 === 0 ? first : second, offset);
  await vi.advanceTimersByTimeAsync(999);
  expect(recorded).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(recorded.map((partitions) => partitions.toSorted())).toEqual([[0, 1]]);
  expect([first.nextOffset, second.nextOffset]).toEqual([500, 499]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(recorded).toHaveLength(1);
});

test('a partition with an applied batch stores its offset together with that batch', async () => {
  passed.pass(first, 7);
  passed.pass(second, 7);
  await passed.settle(first);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recorded).toEqual([[1]]);
});

test('no batch of a partition is applied while the offset of that partition is being stored', async () => {
  const order: string[] = [];
  let finish = () => {};
  const slow = new PassedOffsets({
    afterMs: 1,
    record: () => new Promise<void>((resolve) => (finish = resolve)).then(() => void order.push('recorded')),
  });
  slow.pass(first, 7);
  await vi.advanceTimersByTimeAsync(1);
  const settled = slow.settle(first).then(() => order.push('settled'));
  await vi.advanceTimersByTimeAsync(10);
  expect(order).toEqual([]);
  finish();
  await settled;
  expect(order).toEqual(['recorded', 'settled']);
});

test('a partition that another process has claimed delays no other partition, and is not tried again', async () => {
  refuse = (partitions) => (partitions.includes(0) ? new Fenced('lost') : undefined);
  passed.pass(first, 7);
  passed.pass(second, 7);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(recorded).toEqual([[1]]);
});

test('storing offsets is tried again while the database is away', async () => {
  refuse = () => new Error('away');
  passed.pass(first, 7);
  await vi.advanceTimersByTimeAsync(3_000);
  refuse = () => undefined;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recorded).toEqual([[0]]);
});

test('offsets of a partition that another process owns now are dropped', async () => {
  passed.pass(first, 7);
  passed.forget();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(recorded).toEqual([]);
});
