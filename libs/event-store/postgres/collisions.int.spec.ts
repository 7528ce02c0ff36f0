import { personKey } from '@caravan/contracts/events/fact-key';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandMeta, Unit } from '../core/event-store.ts';
import { withTenant } from './connections.ts';
import { add, jars, note, openJar, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
beforeAll(async () => {
  bank = await openPiggyBank();
});
afterAll(() => bank.close());

/** Resolves for both callers once both have called. */
function meeting(): () => Promise<void> {
  let arrived = 0;
  const both = Promise.withResolvers<void>();
  return async () => {
    if (++arrived >= 2) both.resolve();
    await both.promise;
  };
}

describe('transactions that get in each other’s way', () => {
  test('in a circle: the one that PostgreSQL ends runs again, and both count', async () => {
    const me = somebody();
    for (const id of ['a', 'b']) await bank.store.handle(me, jars, id, openJar(id), note);
    const meet = meeting();
    let runs = 0;
    const inOrder = (first: string, second: string) => async (unit: Unit) => {
      runs++;
      await unit.handle(jars, first, add(first, 1), note);
      await meet();
      await unit.handle(jars, second, add(second, 1), note);
    };
    const withKey = (key: string): CommandMeta => ({ ...me, key: personKey(key) });
    await Promise.all([
      bank.store.transaction(withKey('one'), inOrder('a', 'b')),
      bank.store.transaction(withKey('two'), inOrder('b', 'a')),
    ]);
    expect(runs).toBe(3);
    for (const id of ['a', 'b']) expect(await bank.store.read(me.orgId, jars, id)).toHaveLength(3);
  });

  test('by the same key: the second one waits for the first and sees what it left', async () => {
    const me = somebody();
    await bank.store.handle(me, jars, 'a', openJar('a'), note);
    const order: string[] = [];
    const meet = meeting();
    const first = bank.store.transaction(me, async (unit) => {
      await unit.handle(jars, 'a', add('a', 1), note);
      await meet();
      await unit.tx.query('select pg_sleep(0.1), $1::integer', [1]);
      order.push('first');
    });
    await meet();
    const second = await bank.store.handle(me, jars, 'a', add('a', 1), note);
    order.push('second');
    await first;
    expect(order).toEqual(['first', 'second']);
    expect(second).toMatchObject({ version: 3, state: { coins: 2 } });
  });

  test('an ordinary failure is not tried again', async () => {
    let runs = 0;
    const failing = bank.store.transaction(somebody(), async (unit) => {
      runs++;
      await unit.tx.query('select 1 / $1::integer', [0]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(runs).toBe(1);
  });

  test('a transaction left idle is ended, so that it cannot hold the others up', async () => {
    const timeout = await withTenant(bank.pool, somebody().orgId, (tx) =>
      tx.query(`select setting from pg_settings where name = 'idle_in_transaction_session_timeout'`),
    );
    expect(timeout.rows).toEqual([{ setting: '10000' }]);
  });
});
