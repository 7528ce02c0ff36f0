import { isOnlyReading, onlyReading } from '@caravan/event-store/postgres/reading';
import { expect, test, vi } from 'vitest';
import { KeyedQueue } from './keyed.queue.ts';
import { ownBackground } from '@caravan/service-kit/testing/background';

/** Runs that last until they are ended by hand. */
function heldRuns() {
  const held: { key: string; end: (hasMore?: boolean) => void; fail: (error: Error) => void }[] = [];
  const failed = vi.fn();
  const run = (key: string) =>
    new Promise<boolean>((resolve, reject) => {
      held.push({ key, end: (hasMore = false) => resolve(hasMore), fail: reject });
    });
  const queue = new KeyedQueue({ background: ownBackground(), name: 'runs', run, onFailure: failed });
  const nth = (index: number) => vi.waitUntil(() => held[index]);
  return { queue, held, failed, nth };
}

/** Whatever was due to happen in this iteration of the event loop has happened. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('a key that is enqueued during its run gets another one after it, and only one however often', async () => {
  const { queue, held, nth } = heldRuns();
  queue.enqueue('a');
  queue.enqueue('a');
  queue.enqueue('a');
  expect(held).toHaveLength(1);
  (await nth(0)).end();
  (await nth(1)).end();
  await nextTurn();
  expect(held).toHaveLength(2);
});

test('a run that has left some is followed by another that nobody enqueued', async () => {
  const { queue, held, nth } = heldRuns();
  queue.enqueue('a');
  (await nth(0)).end(true);
  (await nth(1)).end();
  await nextTurn();
  expect(held).toHaveLength(2);
});

test('keys do not wait for each other', () => {
  const { queue, held } = heldRuns();
  queue.enqueue('a');
  queue.enqueue('b');
  expect(held.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('after a run that failed, and after one that ended, the next one begins anew', async () => {
  const { queue, failed, nth } = heldRuns();
  const error = new Error('the database is away');
  queue.enqueue('a');
  (await nth(0)).fail(error);
  await vi.waitUntil(() => failed.mock.calls.length > 0);
  expect(failed).toHaveBeenCalledExactlyOnceWith(error, 'a');
  queue.enqueue('a');
  (await nth(1)).end();
  await nextTurn();
  queue.enqueue('a');
  expect((await nth(2)).key).toBe('a');
});

test('its end waits for the runs under way and begins no other', async () => {
  const { queue, held, nth } = heldRuns();
  queue.enqueue('a');
  queue.enqueue('a');
  const ended = queue.end().then(() => 'ended');
  await nextTurn();
  expect(await Promise.race([ended, Promise.resolve('running')])).toBe('running');
  (await nth(0)).end(true);
  expect(await ended).toBe('ended');
  queue.enqueue('b');
  expect(held).toHaveLength(1);
});

test('[ADR-0030] a read that enqueues does not make the work read-only: it is done for everybody', async () => {
  const seen: boolean[] = [];
  const run = async () => {
    seen.push(isOnlyReading());
    return Promise.resolve(false);
  };
  const queue = new KeyedQueue({ background: ownBackground(), name: 'runs', run, onFailure: vi.fn() });
  onlyReading(() => queue.enqueue('a'));
  await queue.end();
  expect(seen).toEqual([false]);
});
