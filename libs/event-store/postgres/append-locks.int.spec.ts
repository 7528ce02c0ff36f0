import { randomUUID } from '@caravan/contracts/testing/seeded';
import { Client } from './client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

let bank: PiggyBank;
let connections: [Client, Client];
beforeAll(async () => {
  bank = await openPiggyBank();
  connections = [new Client(bank.database.url), new Client(bank.database.url)];
  await Promise.all(connections.map((client) => client.connect()));
});
afterAll(async () => {
  await Promise.all(connections.map((client) => client.end()));
  await bank.close();
});

/** Each of the three ways to append, with what takes its lock. */
const ways = [
  {
    name: 'append',
    lock: /:= es\.lock_key\(p_key\)/,
    call: `select (es.append($1, $2, 'jar', $3, 0, null, now(), '{}', array[uuidv7()], array['X'], array[1::smallint],
      array['{}'::jsonb], array['JarRenamed'], array[1::smallint], array['{}'::json]))[1] as pos`,
  },
  {
    name: 'append_one',
    lock: /:= es\.lock_key\(p_key\)/,
    call: `select es.append_one($1, $2, 'jar', $3, 0, null, now(), '{}', uuidv7(), 'X', 1::smallint, '{}',
      'JarRenamed', 1::smallint, '{}', false) as pos`,
  },
  {
    name: 'append_together',
    lock: /perform es\.lock_keys\(p_keys\);/,
    call: `select pos from es.append_together(array[$3], json_build_array(json_build_object('nth', 1, 'org', $1::uuid,
      'stream', $2::text, 'category', 'jar', 'key', $3::text, 'expected', 0, 'version', 1, 'at', now(), 'meta', '{}'::json,
      'id', uuidv7(), 'type', 'X', 'schema_version', 1, 'data', '{}'::json, 'public_type', 'JarRenamed',
      'public_version', 1, 'public_data', '{}'::json)))`,
  },
];

/** Two writers of one key and different streams, the first of which commits last. Answers what the second one saw. */
async function twoWriters(call: string): Promise<{ hasWaited: boolean; positions: number[] }> {
  const orgId = randomUUID();
  const key = randomUUID();
  const [first, second] = connections;
  for (const client of connections) {
    await client.query('begin');
    await client.query(`select set_config('app.org', $1, true)`, [orgId]);
  }
  const append = async (client: Client, stream: string) =>
    Number((await client.query<{ pos: string }>(call, [orgId, stream, key])).rows[0]?.pos);
  const { rows } = await second.query<{ pid: number }>('select pg_backend_pid() as pid');
  const one = await append(first, 'jar-one');
  let hasAnswered = false;
  const other = append(second, 'jar-other').finally(() => (hasAnswered = true));
  const isWaiting = async () =>
    (await bank.asOwner('select from pg_locks where pid = $1 and not granted', [rows[0]?.pid])).length > 0;
  await expect.poll(async () => hasAnswered || (await isWaiting())).toBe(true);
  const hasWaited = !hasAnswered;
  await first.query('commit');
  const positions = [one, await other];
  await second.query('commit');
  return { hasWaited, positions };
}

describe.each(ways)('es.$name', ({ name, lock, call }) => {
  test('[ADR-0001] lets the second writer of a key wait until the first has committed, so that positions come in order', async () => {
    const { hasWaited, positions } = await twoWriters(call);
    expect(hasWaited).toBe(true);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test('the watch bites: without its lock the second writer of a key passes the first', async () => {
    const [made] = await bank.asOwner<{ source: string }>(`select pg_get_functiondef('es.${name}'::regproc) as source`);
    const unlocked = made?.source.replace(lock, (taken) => (taken.startsWith(':=') ? ':= true' : '')) ?? '';
    expect(unlocked).not.toBe(made?.source);
    await bank.asOwner(unlocked);
    expect((await twoWriters(call)).hasWaited).toBe(false);
    await bank.asOwner(made?.source ?? '');
  });
});

test('whoever takes a position has its transaction’s number by then: each function locks keys first', async () => {
  const takers = await bank.asOwner<{ name: string; source: string }>(
    `select proname as name, prosrc as source from pg_proc where pronamespace = 'es'::regnamespace
       and (prosrc ilike '%nextval(%' or prosrc ilike '%insert into es.events %') order by 1`,
  );
  expect(takers.map(({ name }) => name)).toEqual(expect.arrayContaining(['append', 'append_one', 'publish']));
  const isLate = ({ source }: { source: string }) => {
    const [lock, take] = [/es\.lock_keys?\(/, /nextval\(|insert into es\.events /i].map((part) => source.search(part));
    return lock === undefined || take === undefined || lock < 0 || lock > take;
  };
  expect(takers.filter(isLate).map(({ name }) => name)).toEqual([]);
  const locks = await bank.asOwner<{ source: string }>(
    `select prosrc as source from pg_proc where pronamespace = 'es'::regnamespace and proname in ('lock_key', 'lock_keys')`,
  );
  expect(locks).toHaveLength(2);
  // With the lock first, whoever waits for it would take its number after those that hold it have taken positions.
  for (const { source } of locks)
    expect(source.search('pg_current_xact_id')).toBeLessThan(source.search('pg_advisory_xact_lock'));
});
