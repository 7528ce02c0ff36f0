import { isOnlyReading, onlyReading } from '@caravan/event-store/reading';
import { expect, test, vi } from 'vitest';
import { Turns } from './turns.ts';

/** Turns that last until they are ended by hand. */
function heldTurns() {
  const held: { name: string; end: (hasMore?: boolean) => void; fail: (error: Error) => void }[] = [];
  const failed = vi.fn();
  const take = (name: string) =>
    new Promise<boolean>((resolve, reject) => {
      held.push({ name, end: (hasMore = false) => resolve(hasMore), fail: reject });
    });
  const turns = new Turns({ take, failed });
  const nth = (index: number) => vi.waitUntil(() => held[index]);
  return { turns, held, failed, nth };
}

/** Whatever was due to happen in this turn of the event loop has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('who asks during a turn gets another one after it, and only one however many ask', async () => {
  const { turns, held, nth } = heldTurns();
  turns.ask('a');
  turns.ask('a');
  turns.ask('a');
  expect(held).toHaveLength(1);
  (await nth(0)).end();
  (await nth(1)).end();
  await settled();
  expect(held).toHaveLength(2);
});

test('a turn that has left some is followed by another that nobody asked for', async () => {
  const { turns, held, nth } = heldTurns();
  turns.ask('a');
  (await nth(0)).end(true);
  (await nth(1)).end();
  await settled();
  expect(held).toHaveLength(2);
});

test('names do not wait for each other', () => {
  const { turns, held } = heldTurns();
  turns.ask('a');
  turns.ask('b');
  expect(held.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('after a turn that failed, and after one that ended, whoever asks next begins anew', async () => {
  const { turns, failed, nth } = heldTurns();
  const error = new Error('the database is away');
  turns.ask('a');
  (await nth(0)).fail(error);
  await vi.waitUntil(() => failed.mock.calls.length > 0);
  expect(failed).toHaveBeenCalledExactlyOnceWith(error, 'a');
  turns.ask('a');
  (await nth(1)).end();
  await settled();
  turns.ask('a');
  expect((await nth(2)).name).toBe('a');
});

test('[reliability] its end waits for the turns that run and begins no other', async () => {
  const { turns, held, nth } = heldTurns();
  turns.ask('a');
  turns.ask('a');
  const ended = turns.end().then(() => 'ended');
  await settled();
  expect(await Promise.race([ended, Promise.resolve('running')])).toBe('running');
  (await nth(0)).end(true);
  expect(await ended).toBe('ended');
  turns.ask('b');
  expect(held).toHaveLength(1);
});

test('[ADR-0030] a read that asks does not make the work read-only: it is done for everybody', async () => {
  const seen: boolean[] = [];
  const take = async () => {
    seen.push(isOnlyReading());
    return Promise.resolve(false);
  };
  const turns = new Turns({ take, failed: vi.fn() });
  onlyReading(() => turns.ask('a'));
  await turns.end();
  expect(seen).toEqual([false]);
});
