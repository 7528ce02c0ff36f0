import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OldAnswers } from './idempotency.ts';
import { createPatientPool, createPool, tenantQuery, withSystem, withTenant } from './connections.ts';
import { add, jars, note, openJar, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
const ours = somebody();
const theirs = somebody();

beforeAll(async () => {
  bank = await openPiggyBank({ connections: 2 });
  for (const who of [ours, theirs]) {
    await bank.store.handle(who, jars, 'a', openJar('a'), note);
    await bank.store.handle(who, jars, 'a', add('a', 1), note);
  }
});
afterAll(() => bank.close());

const orgsIn = `select distinct org_id from es.events union select distinct org_id from jar_totals`;

const age = (keys: readonly string[], interval: string) =>
  bank.asOwner('update es.requests set answered_at = now() - $2::interval where key = any($1)', [keys, interval]);

describe('a transaction of an organisation', () => {
  test('sees its rows only, in the log and in the read models', async () => {
    expect((await tenantQuery(bank.pool, ours.orgId, orgsIn)).rows).toEqual([{ orgId: ours.orgId }]);
    expect((await withTenant(bank.pool, theirs.orgId, (tx) => tx.query(orgsIn))).rows).toEqual([
      { orgId: theirs.orgId },
    ]);
  });

  test('cannot write another one’s rows, events or messages', async () => {
    const asOurs = (text: string) => withTenant(bank.pool, ours.orgId, (tx) => tx.query(text, [theirs.orgId]));
    const policy = 'violates row-level security policy';
    await expect(asOurs(`insert into jar_totals values ($1, 'b', 1)`)).rejects.toThrow(policy);
    await expect(asOurs('update jar_totals set org_id = $1')).rejects.toThrow(policy);
    const append = `select es.append($1, 's', 'jar', 'k', 0, null, now(), '{}', array[uuidv7()], array['X'], array[1::smallint],
      array['{}'::jsonb], array[null::text], array[null::smallint], array[null::json])`;
    await expect(asOurs(append)).rejects.toThrow(policy);
    const publish = `select es.publish($1, 'k', null, now(), '{}', uuidv7(), 'X', 1::smallint, '{}')`;
    await expect(asOurs(publish)).rejects.toThrow('another organisation');
    const { rowCount } = await asOurs('delete from jar_totals where org_id = $1');
    expect(rowCount).toBe(0);
  });

  test('[S18] does not see answers that were kept for another one, nor those to equal requests', async () => {
    const request = { owner: 'somebody', key: 'equal', bodyHash: 'equal' };
    const answer = (who: typeof ours) => bank.store.transaction(who, () => Promise.resolve(who.orgId), request);
    const both = () => Promise.all([answer(ours), answer(theirs)]);
    expect([await both(), await both()]).toEqual(Array(2).fill([ours.orgId, theirs.orgId]));
    const { rows } = await tenantQuery(bank.pool, ours.orgId, 'select org_id, answer from es.requests');
    expect(rows).toEqual([{ orgId: ours.orgId, answer: ours.orgId }]);
    const stolen = `update es.requests set answer = '"theirs"' where org_id = $1`;
    expect((await withTenant(bank.pool, ours.orgId, (tx) => tx.query(stolen, [theirs.orgId]))).rowCount).toBe(0);
  });

  test('[S18] does not give an answer of more than two days ago again, forgotten or not', async () => {
    const request = (bodyHash: string) => ({ owner: 'somebody', key: 'aged', bodyHash });
    const answer = (text: string, bodyHash: string) =>
      bank.store.transaction(ours, () => Promise.resolve(text), request(bodyHash));
    expect([await answer('first', 'a'), await answer('again', 'a')]).toEqual(['first', 'first']);
    await age(['aged'], '47 hours');
    expect(await answer('again', 'a')).toBe('first');
    await age(['aged'], '49 hours');
    expect([await answer('second', 'b'), await answer('again', 'b')]).toEqual(['second', 'second']);
    await expect(answer('again', 'a')).rejects.toMatchObject({ code: 'idempotency/key-reused' });
  });

  test('cannot handle commands for another one through a unit', async () => {
    const smuggled = withTenant(bank.pool, ours.orgId, (tx) =>
      bank.store.within(tx, theirs).handle(jars, 'b', openJar('b'), note),
    );
    await expect(smuggled).rejects.toThrow('violates row-level security policy');
    expect(await bank.store.read(theirs.orgId, jars, 'b')).toEqual([]);
  });

  test('is named by a UUID: nothing else opens one, least of all the word that opens all', async () => {
    for (const name of ['system', '', 'x', `${ours.orgId}'; set local app.org = 'system`])
      await expect(withTenant(bank.pool, name, (tx) => tx.query(orgsIn))).rejects.toThrow('named by its UUID');
  });

  test('leaves nothing behind on its connection', async () => {
    const single = createPool(bank.database.url, { max: 1 });
    await withTenant(single, ours.orgId, (tx) => tx.query(orgsIn));
    await withTenant(single, ours.orgId, (tx) => tx.query('select 1/0')).catch(() => undefined);
    expect((await single.query(orgsIn)).rows).toEqual([]);
    expect((await single.query('select app_org(), app_is_system()')).rows).toEqual([
      { appOrg: null, appIsSystem: false },
    ]);
    await single.end();
  });
});

describe('a transaction of the system', () => {
  test('sees every organisation', async () => {
    const { rows } = await withSystem(bank.pool, (tx) => tx.query<{ orgId: string }>(orgsIn));
    expect(rows.map(({ orgId }) => orgId).toSorted()).toEqual([ours.orgId, theirs.orgId].toSorted());
  });
});

describe('old answers', () => {
  test('are forgotten whosever they are, in portions, and newer ones stay', async () => {
    const keep = (count: number) =>
      bank.asOwner(
        `insert into es.requests (org_id, owner, key, body_hash, answered_at)
         select ($1::uuid[])[1 + nth % 2], 'somebody', uuidv7()::text, 'x', now() - interval '3 days' + nth * interval '1 s'
         from generate_series(1, $2::int) nth`,
        [[ours.orgId, theirs.orgId], count],
      );
    const left = () => bank.asOwner(`select from es.requests where answered_at < now() - interval '48 hours'`);
    let hour = 0;
    const answers = new OldAnswers(bank.pool, () => hour * 3_600_000);
    const all = (await bank.asOwner('select from es.requests')).length;
    await keep(1_100);
    expect([await answers.forget(1_000), (await left()).length]).toEqual([1_000, 100]);
    expect([await answers.forget(), await left()]).toEqual([100, []]);
    expect(await bank.asOwner('select from es.requests')).toHaveLength(all);

    await keep(3);
    expect(await answers.forget(), 'what lies before where it was is not looked at').toBe(0);
    hour = 24;
    expect(await answers.forget(), 'but once a day').toBe(3);
  });

  test('that somebody has in hand hold nobody up', async () => {
    await bank.store.transaction(ours, () => Promise.resolve(1), { owner: 'me', key: 'in hand', bodyHash: 'x' });
    await age(['in hand'], '3 days');
    await withSystem(bank.pool, async (tx) => {
      await tx.query(`select from es.requests where key = 'in hand' for update`);
      expect(await new OldAnswers(bank.pool).forget()).toBe(0);
    });
    expect(await new OldAnswers(bank.pool).forget()).toBe(1);
  });
});

describe('the log', () => {
  test.each([
    'update es.events set data = data',
    'delete from es.events',
    'truncate es.events',
    'drop table es.events',
    'alter table es.events disable row level security',
    'create or replace function app_is_system() returns boolean language sql return true',
    'update es.projections set revision = 0',
  ])('is only appended to: the service may not %s', async (statement) => {
    const refused = withSystem(bank.pool, (tx) => tx.query(statement));
    await expect(refused).rejects.toThrow(/permission denied|must be owner/);
  });

  test('holds even its owner to the organisation', async () => {
    const owner = createPatientPool(bank.database.ownerUrl, { max: 1 });
    expect((await owner.query(orgsIn)).rows).toEqual([]);
    expect((await tenantQuery(owner, ours.orgId, orgsIn)).rows).toEqual([{ orgId: ours.orgId }]);
    await owner.end();
  });
});
