import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { afterCommit, createPool, tenantQuery, withSystem, withTenant } from './connections.ts';
import { fill, jars, note, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
const { orgId } = somebody();
const put = `insert into jar_totals (org_id, jar_id) values ($1, $2)`;
const jarIds = async (): Promise<unknown[]> =>
  (await tenantQuery(bank.pool, orgId, 'select jar_id from jar_totals order by 1')).rows.map(({ jarId }) => jarId);

beforeAll(async () => {
  bank = await openPiggyBank({ connections: 2 });
});
afterAll(() => bank.close());

describe('statements that travel together', () => {
  test('count together', async () => {
    await withTenant(bank.pool, orgId, async (tx) => {
      tx.defer(put, [orgId, 'a']);
      tx.defer(put, [orgId, 'b']);
    });
    expect(await jarIds()).toEqual(['a', 'b']);
  });

  test('fail together: a failed one before the commit takes all with it and is what is thrown', async () => {
    const failing = withTenant(bank.pool, orgId, async (tx) => {
      tx.defer(put, [orgId, 'c']);
      tx.defer('select 1 / $1::integer', [0]);
      tx.defer(put, [orgId, 'd']);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await jarIds()).toEqual(['a', 'b']);
  });

  test('what follows a failed one shows the first failure, not that one failed before', async () => {
    const failing = withTenant(bank.pool, orgId, async (tx) => {
      tx.defer('select 1 / $1::integer', [0]);
      await tx.query('select $1::integer', [1]);
    });
    await expect(failing).rejects.toThrow('division by zero');
  });

  test('one that is sent and not awaited fails the commit with its own failure, whoever else heard it', async () => {
    const heard: unknown[] = [];
    const failing = withTenant(bank.pool, orgId, async (tx) => {
      tx.send('select 1 / $1::integer', [0]).catch((error: unknown) => heard.push(error));
      tx.defer(put, [orgId, 'c']);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(heard).toEqual([expect.objectContaining({ message: 'division by zero' })]);
    expect(await jarIds()).toEqual(['a', 'b']);
  });

  test('a transaction whose failure somebody swallowed is not taken for a committed one', async () => {
    const effects: string[] = [];
    const swallowed = withTenant(bank.pool, orgId, async (tx) => {
      afterCommit(tx, () => effects.push('announced'));
      await tx.query(put, [orgId, 'e']);
      await tx.query('select 1 / $1::integer', [0]).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back');
    expect(effects).toEqual([]);
    expect(await jarIds()).toEqual(['a', 'b']);
  });

  test('what is to happen after the commit finds there what was written', async () => {
    const found = await new Promise<number | null>((resolve, reject) => {
      withTenant(bank.pool, orgId, async (tx) => {
        afterCommit(tx, () => {
          const written = tenantQuery(bank.pool, orgId, `select from jar_totals where jar_id = $1`, ['f']);
          written.then(({ rowCount }) => resolve(rowCount), reject);
        });
        await tx.query(put, [orgId, 'f']);
      }).catch(reject);
    });
    expect(found).toBe(1);
    await withTenant(bank.pool, orgId, (tx) => tx.query(`delete from jar_totals where jar_id = 'f'`));
    expect(() => afterCommit(bank.pool, () => undefined)).toThrow('Only a transaction commits');
  });

  test('the connection serves on after a failure; it is not thrown away', async () => {
    const single = createPool(bank.database.url, { max: 1 });
    const backend = 'select pg_backend_pid() as pid, $1::integer';
    const before = await tenantQuery(single, orgId, backend, [1]);
    await tenantQuery(single, orgId, 'select 1 / $1::integer', [0]).catch(() => undefined);
    await withTenant(single, orgId, async (tx) => tx.query('not sql')).catch(() => undefined);
    expect((await tenantQuery(single, orgId, backend, [1])).rows).toEqual(before.rows);
    await single.end();
  });

  test('discarding plans runs no query, so the transaction may still set its isolation level', async () => {
    const single = createPool(bank.database.url, { max: 1 });
    const isolation = async () => {
      await withTenant(single, orgId, (tx) => tx.query('set transaction isolation level repeatable read read only'));
    };
    await isolation();
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 60_000);
    await isolation();
    clock.mockRestore();
    await single.end();
  });

  test('a connection that died fails its transaction only', async () => {
    const died = withSystem(bank.pool, (tx) =>
      tx.query('select pg_terminate_backend(pg_backend_pid()), $1::integer', [1]),
    );
    await expect(died).rejects.toThrow();
    expect(await jarIds()).toEqual(['a', 'b']);
  });
});

describe('a part of a transaction that may fail alone', () => {
  test('leaves no row, no event, no message and no announcement, and the rest counts', async () => {
    const me = somebody({ orgId });
    await withTenant(bank.pool, orgId, async (tx) => {
      const failing = tx.attempt(async () => {
        await bank.store.within(tx, me).handle(jars, 'part', fill('part', 2), note);
        tx.defer('select 1 / $1::integer', [0]);
      });
      await expect(failing).rejects.toThrow('division by zero');
      await tx.attempt(() => bank.store.within(tx, me).handle(jars, 'whole', fill('whole', 2), note));
    });
    expect(await jarIds()).toEqual(['a', 'b', 'whole']);
    expect(await bank.store.read(orgId, jars, 'part')).toEqual([]);
    const { rows } = await bank.pool.query(
      'select pos as position from es.outbox where partition_key = $1 order by 1',
      [me.key.id],
    );
    expect(bank.committed).toMatchObject([
      { service: 'piggy-bank', key: me.key, orgId, position: rows.at(-1)?.position },
    ]);
    expect(rows).toHaveLength(2);
  });

  test('cannot hide a failure before it', async () => {
    const failing = withTenant(bank.pool, orgId, async (tx) => {
      tx.defer('select 1 / $1::integer', [0]);
      await tx.attempt(() => tx.query(put, [orgId, 'late'])).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await jarIds()).toEqual(['a', 'b', 'whole']);
  });
});

describe('a single read', () => {
  test('cannot write', async () => {
    await expect(tenantQuery(bank.pool, orgId, put, [orgId, 'f'])).rejects.toThrow('read-only transaction');
  });

  test('gives positions as numbers and dates as they are written', async () => {
    const text = `select 9007199254740991::bigint as position, date '2026-02-29' + 0 * $1::integer as day`;
    await expect(tenantQuery(bank.pool, orgId, text, [1])).rejects.toThrow('out of range');
    const { rows } = await tenantQuery(bank.pool, orgId, text.replace('02-29', '02-28'), [1]);
    expect(rows).toEqual([{ position: Number.MAX_SAFE_INTEGER, day: '2026-02-28' }]);
  });
});
