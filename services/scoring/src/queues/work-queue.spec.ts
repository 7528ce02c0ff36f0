import { isOnlyReading, onlyReading } from '@caravan/event-store/postgres/reading';
import { expect, test, vi } from 'vitest';
import { WorkQueue } from './work.queue.ts';
import { ownBackground } from '@caravan/service-kit/testing/background';

/** A queue whose work lasts until it is ended by hand. */
function heldQueue(atATime: number) {
  const held: { item: string; end: () => void; fail: (error: Error) => void }[] = [];
  const failed: unknown[] = [];
  const queue = new WorkQueue<string>({
    background: ownBackground(),
    name: 'work',
    atATime,
    work: (item) => new Promise((resolve, reject) => held.push({ item, end: resolve, fail: reject })),
    onFailure: (error, item) => failed.push([error, item]),
  });
  const ask = (...names: string[]) => names.forEach((name) => queue.ask(name, name));
  return { queue, held, failed, ask, begunItems: () => held.map(({ item }) => item) };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('however many ask for however much, a few are worked on at a time, each once', async () => {
  const { held, ask, begunItems } = heldQueue(2);
  ask('a', 'b', 'c', 'd', 'a', 'c');
  expect(begunItems()).toEqual(['a', 'b']);
  held[1]?.end();
  await nextTurn();
  expect(begunItems()).toEqual(['a', 'b', 'c']);
  ask('a', 'c', 'd');
  held[0]?.end();
  held[2]?.end();
  await nextTurn();
  expect(begunItems()).toEqual(['a', 'b', 'c', 'd']);
  ask('a');
  expect(begunItems()).toEqual(['a', 'b', 'c', 'd', 'a']);
});

test('work that failed is told, makes room and can be asked for again', async () => {
  const { held, failed, ask, begunItems } = heldQueue(1);
  ask('a', 'b');
  const error = new Error('Redis is away');
  held[0]?.fail(error);
  await nextTurn();
  expect([failed, begunItems()]).toEqual([[[error, 'a']], ['a', 'b']]);
  ask('a');
  held[1]?.end();
  await nextTurn();
  expect(begunItems()).toEqual(['a', 'b', 'a']);
});

test('its end waits for what runs and begins nothing more', async () => {
  const { queue, held, ask, begunItems } = heldQueue(1);
  ask('a', 'b');
  const ended = queue.end().then(() => 'ended');
  await nextTurn();
  expect(await Promise.race([ended, Promise.resolve('running')])).toBe('running');
  held[0]?.end();
  expect(await ended).toBe('ended');
  ask('c');
  expect(begunItems()).toEqual(['a']);
});

test('[ADR-0030] a read that asks does not make the work read-only: it is done for everybody', async () => {
  const seen: boolean[] = [];
  const take = async () => {
    seen.push(isOnlyReading());
    return Promise.resolve(undefined);
  };
  const turns = new WorkQueue({
    background: ownBackground(),
    name: 'turns',
    atATime: 1,
    work: take,
    onFailure: vi.fn(),
  });
  onlyReading(() => turns.ask('a', 'a'));
  await turns.end();
  expect(seen).toEqual([false]);
});
