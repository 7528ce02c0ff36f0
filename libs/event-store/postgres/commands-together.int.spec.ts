import { AsyncLocalStorage } from 'node:async_hooks';
import { personKey } from '@caravan/contracts/events/fact-key';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CommandMeta, Unit } from '../core/event-store.ts';
import { createPostgresEventStore } from './postgres-event-store.ts';
import { createPool, withTenant } from './connections.ts';
import { Rejected } from '@caravan/kernel/rejected';
import { add, fill, jars, note, openJar, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
const held: AsyncDisposable[] = [];
beforeAll(async () => {
  bank = await openPiggyBank();
});
afterEach(() => Promise.all(held.splice(0).map((one) => one[Symbol.asyncDispose]())));
afterAll(() => bank.close());

type Me = CommandMeta & { actorId: string };
const colleagues = (count: number): Me[] => {
  const { orgId } = somebody();
  return Array.from({ length: count }, () => somebody({ orgId }));
};
const open = (me: Me, id: string = me.actorId) => bank.store.sharedTransaction(me, opening(id));
const opening = (id: string) => async (unit: Unit) => (await unit.create(jars, id, fill(id, 1), note)).version;

/** Which transactions wrote the events of an organisation, with how many commands each. */
const transactionsOf = async (orgId: string): Promise<number[]> =>
  (
    await bank.asOwner<{ commands: number }>(
      `select count(distinct stream_id)::integer as commands from es.events where org_id = $1 group by xmin::text order by min(pos)`,
      [orgId],
    )
  ).map(({ commands }) => commands);

/** Holds the lock of a person's key, so that whoever writes for them waits. */
async function hold({ orgId, key }: Me): Promise<void> {
  const isHeld = Promise.withResolvers<undefined>();
  const end = Promise.withResolvers<undefined>();
  const done = withTenant(bank.pool, orgId, async (tx) => {
    await tx.query('select es.lock_keys($1)', [[key.id]]);
    isHeld.resolve(undefined);
    await end.promise;
  });
  await isHeld.promise;
  held.push({
    async [Symbol.asyncDispose]() {
      end.resolve(undefined);
      await done;
    },
  });
}
const letGo = () => Promise.all(held.splice(0).map((one) => one[Symbol.asyncDispose]()));

describe('commands of one organisation', () => {
  test('that arrive together share a transaction, and each announces its own position in its own request', async () => {
    const people = colleagues(5);
    const request = new AsyncLocalStorage<string>();
    const told: [string | undefined, string][] = [];
    const store = createPostgresEventStore({
      pool: bank.pool,
      service: 'piggy-bank',
      onCommitted: ({ key }) => told.push([request.getStore(), key.id]),
    });
    const versions = await Promise.all(
      people.map((me) => request.run(me.key.id, () => store.sharedTransaction(me, opening(me.actorId)))),
    );
    expect(versions).toEqual([2, 2, 2, 2, 2]);
    expect(await transactionsOf(people[0]?.orgId ?? '')).toEqual([5]);
    expect(told.toSorted()).toEqual(people.map(({ key }) => [key.id, key.id]).toSorted());
  });

  test('do not share with another organisation’s', async () => {
    const ours = colleagues(3);
    const theirs = colleagues(3);
    await Promise.all([...ours, ...theirs].map((me) => open(me)));
    for (const [me] of [ours, theirs]) expect(await transactionsOf(me?.orgId ?? '')).toEqual([3]);
  });

  test('of one person keep their order, one transaction after the other', async () => {
    const [me, ...others] = colleagues(4);
    const all = [open(me as Me, 'a'), open(me as Me, 'b'), open(me as Me, 'c'), ...others.map((one) => open(one))];
    await Promise.all(all);
    expect(await transactionsOf(me?.orgId ?? '')).toEqual([4, 1, 1]);
    const { rows } = {
      rows: await bank.asOwner<{ id: string }>(
        `select data->>'jarId' as id from es.events
      where partition_key = $1 and type = 'JarOpened' order by pos`,
        [me?.key.id],
      ),
    };
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('at most 32 go together, so that no transaction holds the locks of all', async () => {
    const people = colleagues(40);
    await Promise.all(people.map((me) => open(me)));
    // Neither holds a lock that the other waits for, so either may be the first.
    const commands = await transactionsOf(people[0]?.orgId ?? '');
    expect(commands.toSorted((one, other) => one - other)).toEqual([8, 32]);
  });
});

describe('one that fails', () => {
  test('by a rule, before it wrote anything, fails alone and costs the others nothing', async () => {
    const [refused, ...others] = colleagues(4);
    const failing = bank.store.sharedTransaction(refused as Me, (unit) =>
      unit.handle(jars, 'none', add('none', 1), note),
    );
    const [outcome] = await Promise.allSettled([failing, ...others.map((me) => open(me))]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'jar/not-found' } });
    expect(await transactionsOf(refused?.orgId ?? '')).toEqual([3]);
  });

  test.each([
    ['by a rule after it wrote', () => Promise.reject(new Rejected('jar/late', 'conflict', 'too late'))],
    ['by a defect', () => Promise.reject(new TypeError('defect'))],
    ['by a bad row', (unit: Unit) => unit.tx.query('select 1 / $1::integer', [0])],
    ['by a bad row that travels with the commit', (unit: Unit) => unit.write('select 1 / $1::integer', [0])],
  ])('%s, leaves nothing, and the others are run each alone', async (_how, fail) => {
    const [failing, ...others] = colleagues(4);
    const runs = { failing: 0 };
    const work = async (unit: Unit) => {
      runs.failing += 1;
      await unit.handle(jars, 'written', openJar('written'), note);
      await fail(unit);
    };
    const [outcome, ...rest] = await Promise.allSettled([
      bank.store.sharedTransaction(failing as Me, work),
      ...others.map((me) => open(me)),
    ]);
    expect(outcome.status).toBe('rejected');
    expect(rest.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(runs.failing).toBe(2);
    expect(await bank.store.read(failing?.orgId ?? '', jars, 'written')).toEqual([]);
    expect(await transactionsOf(failing?.orgId ?? '')).toEqual([1, 1, 1]);
    const positions = bank.committed.filter(({ orgId }) => orgId === failing?.orgId);
    expect(positions).toHaveLength(3);
  });

  test('is not run again when nobody can know whether it counts', async () => {
    const people = colleagues(2);
    const runs = { all: 0 };
    const dying = async (unit: Unit) => {
      runs.all += 1;
      await unit.create(jars, unit.meta.key.id, fill(unit.meta.key.id, 1), note);
      await unit.write('select pg_terminate_backend(pg_backend_pid()), $1::integer', [1]);
    };
    const outcomes = await Promise.allSettled(people.map((me) => bank.store.sharedTransaction(me, dying)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs.all).toBe(2);
  });
});

describe('an Idempotency-Key', () => {
  const once = (me: Me, key: string, bodyHash = 'same') =>
    bank.store.sharedTransaction(me, async (unit) => (await unit.handle(jars, 'a', fill('a', 1), note)).version, {
      owner: me.actorId,
      key,
      bodyHash,
    });

  test('is answered once however often it comes at the same time, beside others', async () => {
    const [me, other] = colleagues(2) as [Me, Me];
    const answers = await Promise.all([once(me, 'k'), once(me, 'k'), open(other, 'b'), once(me, 'k')]);
    expect(answers).toEqual([2, 2, 2, 2]);
    expect(await bank.store.read(me.orgId, jars, 'a')).toHaveLength(2);
  });

  test('of an answer that was kept gives that answer again in a shared transaction too, and the place to wait for', async () => {
    const [me, other] = colleagues(2) as [Me, Me];
    await once(me, 'k');
    const [before] = bank.committed.filter(({ key }) => key === me.key);
    expect(await Promise.all([once(me, 'k'), open(other, 'b')])).toEqual([2, 2]);
    expect(bank.committed.filter(({ key }) => key === me.key)).toEqual([before, before]);
  });

  test('that was used for another request is refused, and costs the others nothing', async () => {
    const [me, other] = colleagues(2) as [Me, Me];
    await once(me, 'k');
    const [reused, opened] = await Promise.allSettled([once(me, 'k', 'another'), open(other, 'b')]);
    expect(reused).toMatchObject({ status: 'rejected', reason: { code: 'idempotency/key-reused' } });
    expect(opened).toEqual({ status: 'fulfilled', value: 2 });
  });

  test('of a refused request is free again', async () => {
    const [me, other] = colleagues(2) as [Me, Me];
    const request = { owner: me.actorId, key: 'k', bodyHash: 'same' };
    const adding = () =>
      bank.store.sharedTransaction(me, (unit) => unit.handle(jars, 'mine', add('mine', 1), note), request);
    const [refused] = await Promise.allSettled([adding(), open(other, 'b')]);
    expect(refused.status).toBe('rejected');
    await open(me, 'mine');
    expect(await adding()).toMatchObject({ version: 3 });
  });
});

describe('waiting', () => {
  test('for somebody’s lock holds up that batch and that person, and nobody else', async () => {
    const [stuck, beside, ...later] = colleagues(5) as [Me, Me, ...Me[]];
    await hold(stuck);
    const first = Promise.all([open(stuck, 'stuck'), open(beside, 'beside')]);
    await vi.waitUntil(async () => (await bank.asOwner('select from pg_locks where not granted')).length > 0);
    const again = open(stuck, 'again');
    await Promise.all(later.map((me) => open(me)));
    expect(await bank.store.read(stuck.orgId, jars, 'beside')).toEqual([]);
    await letGo();
    await Promise.all([first, again]);
    expect(await transactionsOf(stuck.orgId)).toHaveLength(3);
  });

  test('has an end: too many are refused before they fill the memory, and those before them are not', async () => {
    const guard = { refusal: () => undefined, timeLeft: () => undefined, late: () => undefined };
    const pool = createPool(bank.database.url, { max: 2, bounds: { guard, mostWaiting: 3 } });
    const store = createPostgresEventStore({ pool, service: 'piggy-bank' });
    const people = colleagues(40);
    const outcomes = await Promise.allSettled(people.map((me) => store.sharedTransaction(me, opening(me.actorId))));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'service/too-busy', kind: 'unavailable' } });
    await pool.end();
  });
});

test('a person’s key is enough: two that check before they write do not pass each other', async () => {
  const [me] = colleagues(1) as [Me];
  const takeLast = async ({ tx }: Unit) => {
    const { rows } = await tx.query<{ coins: number }>('select coins from jar_totals where jar_id = $1', ['one']);
    if ((rows[0]?.coins ?? 0) < 1) throw new Rejected('jar/empty', 'conflict', 'empty');
    await tx.query('update jar_totals set coins = coins - 1 where jar_id = $1', ['one']);
  };
  await open(me, 'one');
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => bank.store.sharedTransaction(me, takeLast)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(personKey(me.key.id)).toEqual(me.key);
});
