import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OpenTransaction } from './open-transaction.ts';
import { withSystem } from './connections.ts';
import type { Projection } from '../core/projection.ts';
import { add, fill, jars, note, openJar, somebody, type JarEvent } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

const totalsSql = `
  insert into jar_totals as t (org_id, jar_id, coins)
  select org_id, jar_id, sum(coins) from json_to_recordset($1) as c (org_id uuid, jar_id text, coins integer)
  group by 1, 2 on conflict (org_id, jar_id) do update set coins = t.coins + excluded.coins`;
const rowOf = (orgId: string, jar_id: string, coins: number) => [
  { text: totalsSql, rows: [{ org_id: orgId, jar_id, coins }] },
];

/** Totals that need no position and may be written for many jars at once. */
const totals: Projection<JarEvent> = {
  name: 'plain-totals',
  revision: 1,
  tables: ['jar_totals'],
  on: {
    JarOpened: ({ orgId, data }) => rowOf(orgId, data.jarId, 0),
    CoinsAdded: ({ orgId, data }) => rowOf(orgId, data.jarId, data.coins),
    JarSealed: 'ignored',
  },
};
const plain = { ...jars, projections: [totals] };

let bank: PiggyBank;
beforeAll(async () => {
  bank = await openPiggyBank();
});
afterAll(() => bank.close());

/** The statements that were issued on a transaction. */
function listenTo(tx: OpenTransaction): string[] {
  const texts: string[] = [];
  for (const way of ['query', 'defer'] as const) {
    const issue = tx[way].bind(tx) as (...args: unknown[]) => unknown;
    Object.assign(tx, {
      [way]: (text: string, ...rest: unknown[]) => {
        texts.push(text);
        return issue(text, ...rest);
      },
    });
  }
  return texts;
}

const coinsOf = async (orgId: string): Promise<unknown> =>
  Object.fromEntries(
    (
      await bank.asOwner<{ jarId: string; coins: number }>('select jar_id, coins from jar_totals where org_id = $1', [
        orgId,
      ])
    ).map(({ jarId, coins }) => [jarId, coins]),
  );

describe('units that share a transaction', () => {
  test('append and project by one statement each, and each announces its own position', async () => {
    const people = Array.from({ length: 5 }, () => somebody());
    const texts = await withSystem(bank.pool, async (tx) => {
      const issued = listenTo(tx);
      const all = people.map((me, nth) => bank.store.within(tx, me).create(plain, 'a', fill('a', nth + 1), note));
      await Promise.all(all);
      return issued;
    });
    expect(texts.filter((text) => text.includes('append_together'))).toHaveLength(1);
    for (const [nth, { orgId, key }] of people.entries()) {
      const events = await bank.store.read(orgId, jars, 'a');
      expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
      const sent = await bank.asOwner<{ pos: number; partitionKey: string }>(
        'select pos, partition_key from es.outbox where org_id = $1 order by pos',
        [orgId],
      );
      // The opening is private.
      expect(sent).toEqual(events.slice(1).map(({ position }) => ({ pos: position, partitionKey: key.id })));
      const announced = bank.committed.filter((one) => one.orgId === orgId);
      expect(announced).toMatchObject([{ position: events.at(-1)?.position, key }]);
      expect(await coinsOf(orgId)).toEqual({ a: nth + 1 });
    }
  });

  test('share the statements of what follows where they do the same', async () => {
    const people = Array.from({ length: 4 }, () => somebody());
    const texts = await withSystem(bank.pool, async (tx) => {
      const issued = listenTo(tx);
      await Promise.all(people.map((me) => bank.store.within(tx, me).create(plain, 'a', openJar('a'), note)));
      return issued;
    });
    expect(texts.filter((text) => text === totalsSql)).toHaveLength(1);
    for (const { orgId } of people) expect(await coinsOf(orgId)).toEqual({ a: 0 });
  });

  test('of two that change one stream, the second decides again on what the first left', async () => {
    const me = somebody();
    await bank.store.handle(me, plain, 'a', openJar('a'), note);
    const [one, other] = await withSystem(bank.pool, (tx) =>
      Promise.all([2, 3].map((coins) => bank.store.within(tx, me).handle(plain, 'a', add('a', coins), note))),
    );
    expect([one?.version, other?.version]).toEqual([2, 3]);
    expect(await coinsOf(me.orgId)).toEqual({ a: 5 });
  });

  test('an append to a stream that has moved takes nothing from the others', async () => {
    const moved = somebody();
    const others = [somebody(), somebody()];
    await bank.store.handle(moved, plain, 'a', openJar('a'), note);
    const handled = await withSystem(bank.pool, (tx) =>
      Promise.all([moved, ...others].map((me) => bank.store.within(tx, me).create(plain, 'a', fill('a', 1), note))),
    );
    expect(handled.map(({ version }) => version)).toEqual([2, 2, 2]);
    for (const { orgId } of [moved, ...others]) expect(await coinsOf(orgId)).toEqual({ a: 1 });
  });
});

describe('a command that creates a stream', () => {
  test('is decided again when the stream is not new', async () => {
    const me = somebody();
    await bank.store.transaction(me, (unit) => unit.create(plain, 'a', openJar('a'), note));
    const again = await bank.store.transaction(me, (unit) => unit.create(plain, 'a', openJar('a'), note));
    expect(again).toMatchObject({ events: [], version: 1 });
    expect(await coinsOf(me.orgId)).toEqual({ a: 0 });
  });

  test('does not wait for the log before what follows, nor before its commit', async () => {
    const me = somebody();
    const gate = Promise.withResolvers<undefined>();
    const isCreated = Promise.withResolvers<undefined>();
    // Of one key the log takes one transaction after the other.
    const first = bank.store.transaction(me, async (unit) => {
      await unit.handle(plain, 'b', openJar('b'), note);
      await gate.promise;
    });
    await vi.waitUntil(async () => (await bank.asOwner(`select from pg_locks where locktype = 'advisory'`)).length > 0);
    const second = bank.store.transaction(me, async (unit) => {
      await unit.create(plain, 'a', openJar('a'), note);
      isCreated.resolve(undefined);
    });
    await isCreated.promise;
    gate.resolve(undefined);
    await Promise.all([first, second]);
    expect(await coinsOf(me.orgId)).toEqual({ a: 0, b: 0 });
  });

  test('announces what it published once it is committed', async () => {
    const me = somebody();
    const publishing = { ...plain, publicEvents: { ...jars.publicEvents, JarOpened: jars.publicEvents.JarSealed } };
    await bank.store.transaction(me, (unit) => unit.create(publishing as typeof plain, 'a', openJar('a'), note));
    const [opened] = await bank.store.read(me.orgId, jars, 'a');
    expect(bank.committed.filter(({ key }) => key === me.key)).toMatchObject([{ position: opened?.position }]);
  });

  test('leaves nothing when a statement before it fails', async () => {
    const me = somebody();
    const failing = bank.store.transaction(me, (unit) =>
      Promise.all([unit.tx.query('select 1 / $1::integer', [0]), unit.create(plain, 'a', openJar('a'), note)]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await bank.store.read(me.orgId, jars, 'a')).toEqual([]);
    expect(bank.committed.filter(({ orgId }) => orgId === me.orgId)).toEqual([]);
  });

  test('with an Idempotency-Key keeps its answer in the same transaction', async () => {
    const me = somebody();
    const request = { owner: me.actorId, key: 'once', bodyHash: 'same' };
    const log = () =>
      bank.store.transaction(me, async (unit) => (await unit.create(plain, 'a', openJar('a'), note)).version, request);
    expect([await log(), await log()]).toEqual([1, 1]);
    expect(await bank.store.read(me.orgId, jars, 'a')).toHaveLength(1);
  });
});
