import { setTimeout as pause } from 'node:timers/promises';
import { random } from '@caravan/contracts/testing/seeded';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPatientPool, withTenant } from '../postgres/connections.ts';
import type { Projection } from '../core/projection.ts';
import { rebuild } from './rebuild.ts';
import { add, jars, jarTotals, note, openJar, seal, somebody, type JarEvent } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
beforeAll(async () => {
  bank = await openPiggyBank({ connections: 12 });
});
afterAll(() => bank.close());

const run = (projection: Projection<JarEvent> = jarTotals, batchSize = 100) =>
  rebuild({
    databaseUrl: bank.database.ownerUrl,
    projection,
    kinds: [{ ...jars, projections: [projection] }],
    batchSize,
  });

// The read model without its surrogate numbers, and what it must show, counted from the log alone.
const totals = 'select org_id, jar_id, coins from jar_totals';
const entries = 'select org_id, event_id, jar_id, coins, added_at, added_by from jar_entries';
const meantTotals = `
  select org_id, data->>'jarId', coalesce(sum((data->>'coins')::integer), 0)::integer
  from es.events where type <> 'JarSealed' group by 1, 2`;
const meantEntries = `
  select org_id, event_id, data->>'jarId', (data->>'coins')::integer, recorded_at, actor_id
  from es.events where type = 'CoinsAdded'`;

/** Rows that one shows and the other does not, in one snapshot, so that it can be asked while others write. */
const differences = async (): Promise<object[]> => {
  const either = (one: string, other: string) =>
    `((${one}) except all (${other})) union all ((${other}) except all (${one}))`;
  const sql = (which: string, difference: string) => `select '${which}', to_json(d) from (${difference}) d`;
  return bank.asOwner(
    `${sql('totals', either(totals, meantTotals))} union all ${sql('entries', either(entries, meantEntries))}`,
  );
};

const structure = () =>
  bank.asOwner(`
    select c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, c.relacl::text, c.relowner,
      (select json_agg(json_build_array(attname, atttypid::regtype, attnotnull, attidentity, attacl, pg_get_expr(adbin, adrelid)) order by attnum)
         from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = c.oid and attnum > 0) as columns,
      (select json_agg(json_build_array(conname, pg_get_constraintdef(oid)) order by conname) from pg_constraint where conrelid = c.oid) as constraints,
      (select json_agg(pg_get_triggerdef(oid) order by tgname) from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers,
      (select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text) from pg_index where indrelid = c.oid) as indexes,
      (select json_agg(json_build_array(policyname, permissive, roles, cmd, qual, with_check) order by policyname) from pg_policies where tablename = c.relname) as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname like 'jar%' order by 1`);

/** Members who save coins until they are told to stop; some transactions stay open for a while before they commit. */
function savers(count: number) {
  const stop = new AbortController();
  const longestWait = { millis: 0 };
  const save = async (index: number): Promise<number> => {
    const me = somebody();
    await bank.store.handle(me, jars, 'a', openJar('a'), note);
    let commands = 1;
    for (; !stop.signal.aborted; commands++) {
      const began = performance.now();
      await withTenant(bank.pool, me.orgId, async (tx) => {
        const unit = bank.store.within(tx, me);
        if (commands % 7 === 0) await unit.handle(jars, `jar-${commands}`, openJar(`jar-${commands}`), note);
        await unit.handle(jars, 'a', add('a', 1 + (commands % 3)), note);
        if (index % 3 !== 0) await pause(random() * 40);
      });
      longestWait.millis = Math.max(longestWait.millis, performance.now() - began);
    }
    return commands;
  };
  const done = Promise.all(Array.from({ length: count }, (_, index) => save(index)));
  return {
    longestWait,
    async stop() {
      stop.abort();
      return (await done).reduce((sum, commands) => sum + commands, 0);
    },
  };
}

describe('a rebuild', () => {
  test('under writes equals the live read model exactly, and no command fails or waits long for it', async () => {
    const saving = savers(9);
    onTestFinished(async () => {
      await saving.stop();
    });
    for (let generation = 1; generation <= 6; generation++) {
      expect(await run()).toMatchObject({ generation });
      expect(await differences()).toEqual([]);
    }
    expect(await saving.stop()).toBeGreaterThan(100);
    expect(await differences()).toEqual([]);
    expect(saving.longestWait.millis).toBeLessThan(5_000);
  });

  test('brings back what was lost from a read model', async () => {
    await bank.asOwner('delete from jar_entries');
    await bank.asOwner('update jar_totals set coins = 0');
    expect(await differences()).not.toEqual([]);
    await run();
    expect(await differences()).toEqual([]);
  });

  test('leaves tables like the ones before: columns, keys, indexes, triggers, policies and grants', async () => {
    await bank.asOwner('alter table jar_totals set (fillfactor = 80)');
    await bank.asOwner(`alter table jar_entries add column seen_at timestamptz default now()`);
    await bank.asOwner(
      `create policy careful on jar_totals as restrictive for update using (true) with check (coins < 1000000)`,
    );
    await bank.asOwner(
      'create function note_nothing() returns trigger language plpgsql as $$ begin return null; end $$',
    );
    await bank.asOwner(
      `create trigger note_nothing after insert on jar_totals referencing new table as changed
       for each statement execute function note_nothing()`,
    );
    const before = await structure();
    await run();
    expect(await structure()).toEqual(before);
  });

  test('leaves organisations apart and the service able to write', async () => {
    const me = somebody();
    const you = somebody();
    await bank.store.handle(me, jars, 'mine', openJar('mine'), note);
    await run();
    await bank.store.handle(me, jars, 'mine', add('mine', 2), note);
    await bank.store.handle(me, jars, 'mine', seal('mine'), note);
    const mine = (orgId: string) =>
      withTenant(bank.pool, orgId, async (tx) => (await tx.query('select coins from jar_totals')).rows);
    expect(await mine(me.orgId)).toEqual([{ coins: 2 }]);
    expect(await mine(you.orgId)).toEqual([]);
  });

  test('shows what a new revision makes of the same events', async () => {
    const doubled: Projection<JarEvent> = {
      ...jarTotals,
      revision: 2,
      on: {
        ...jarTotals.on,
        CoinsAdded: ({ orgId, data }) => [
          {
            text: `update jar_totals t set coins = t.coins + 2 * c.coins from (
              select org_id, jar_id, sum(coins) as coins
              from json_to_recordset($1) as c (org_id uuid, jar_id text, coins integer) group by 1, 2
            ) c where t.org_id = c.org_id and t.jar_id = c.jar_id`,
            rows: [{ org_id: orgId, jar_id: data.jarId, coins: data.coins }],
          },
        ],
      },
    };
    const total = async () =>
      (await bank.asOwner<{ coins: number }>('select sum(coins) as coins from jar_totals'))[0]?.coins;
    const before = await total();
    expect(await run(doubled)).toMatchObject({ revision: 2 });
    expect(await total()).toBe(2 * (before ?? NaN));
    expect(await bank.asOwner('select name, revision from es.projections')).toEqual([
      { name: 'jar-totals', revision: 2 },
    ]);
    await run();
  });

  test('that fails leaves the live read model as it was and nothing else behind', async () => {
    const before = await bank.asOwner(`${totals} order by 1, 2`);
    const broken: Projection<JarEvent> = {
      ...jarTotals,
      on: { ...jarTotals.on, CoinsAdded: () => [{ text: 'select 1 / (json_array_length($1) * 0)', rows: [] }] },
    };
    await expect(run(broken)).rejects.toThrow('division by zero');
    expect(await bank.asOwner(`${totals} order by 1, 2`)).toEqual(before);
    expect(await differences()).toEqual([]);
    expect(await bank.asOwner(`select from pg_namespace where nspname like 'rebuild%'`)).toEqual([]);
  });

  test('gets its turn while the log is vacuumed: a vacuum gives way to who has waited for a second', async () => {
    const owners = createPatientPool(bank.database.ownerUrl, { max: 1 });
    onTestFinished(() => owners.end());
    const vacuum = await owners.connect();
    onTestFinished(() => vacuum.release(true));
    await vacuum.query('begin');
    await vacuum.query('lock table es.events in share update exclusive mode');
    const rebuilt = run();
    await vi.waitUntil(
      async () => {
        const { rows } = await vacuum.query(`select from pg_locks where relation = 'es.events'::regclass
          and not granted and waitstart < clock_timestamp() - interval '1 s'`);
        return rows.length > 0;
      },
      { timeout: 30_000 },
    );
    await vacuum.query('commit');
    expect(await rebuilt).toMatchObject({ revision: 1 });
    expect(await differences()).toEqual([]);
  });

  test('is refused while something hangs on the tables, or while another one runs', async () => {
    await bank.asOwner('create view rich as select * from jar_totals where coins > 100');
    await expect(run()).rejects.toThrow('because of view or rule rich');
    await bank.asOwner('drop view rich');
    await expect(run({ ...jarTotals, tables: ['jar_totals'] })).rejects.toThrow('foreign key jar_entries_of_jar');
    await expect(run({ ...jarTotals, tables: ['jar_total'] })).rejects.toThrow('table jar_total, which does not exist');
    const both = await Promise.allSettled([run(), run()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
