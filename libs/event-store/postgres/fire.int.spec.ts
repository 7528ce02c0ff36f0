import { randomUUID } from '@caravan/contracts/testing/seeded';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  coinsPerCommand,
  killConnections,
  watchForLateMessages,
  writeUnderFire,
  type Account,
} from '../testing/fire.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';

/** The writers of one organisation wait for each other. */
const enoughEvents = { transaction: 12_000, sharedTransaction: 5_000 };
const { own, shared } = coinsPerCommand;
const coinsOf = (account: Account): number => account.acknowledged.size * (own + shared);

type Way = 'transaction' | 'sharedTransaction';

let bank: PiggyBank;

const idsOf = async (text: string): Promise<string[]> => (await bank.asOwner<{ id: string }>(text)).map(({ id }) => id);

async function underFire(way: Way, enough: (account: Account) => boolean) {
  const watching = watchForLateMessages((text, values) => bank.asOwner(text, values));
  const killing = killConnections(bank.database.url, 100);
  const account = await writeUnderFire(bank.store[way], {
    writers: 16,
    enough,
    orgId: way === 'sharedTransaction' ? randomUUID() : undefined,
  });
  return { account, killed: await killing.stop(), ...(await watching.stop()) };
}

async function unlock(name: string): Promise<void> {
  const [made] = await bank.asOwner<{ source: string }>(`select pg_get_functiondef('es.${name}'::regproc) as source`);
  const unlocked = made?.source.replace(/:= es\.lock_key\(p_key\)/, ':= true') ?? '';
  expect(unlocked).not.toBe(made?.source);
  await bank.asOwner(unlocked);
}

describe.each<Way>(['transaction', 'sharedTransaction'])('under fire, by %s', (way) => {
  beforeAll(async () => {
    bank = await openPiggyBank({ connections: 16 });
  });
  afterAll(() => bank.close());

  test('[I1] 16 writers whose connections are killed: what was acknowledged is there once, in order, without a gap', async () => {
    const { account, killed, late, looks } = await underFire(way, (it) => coinsOf(it) >= enoughEvents[way]);
    expect(killed).toBeGreaterThan(10);
    expect(account.unknown).toBeGreaterThan(0);
    expect(account.undone.size).toBeGreaterThan(20);
    expect(looks).toBeGreaterThan(10);
    expect(late, 'messages behind a visible position of their key').toBe(0);

    const jarIds = `select data->>'jarId' as id from es.events where type = 'JarOpened' and data->>'jarId' not like 'shared%'`;
    expect((await idsOf(jarIds)).toSorted()).toEqual([...account.acknowledged].toSorted());
    expect(await bank.asOwner(`select from es.events where type = 'CoinsAdded'`)).toHaveLength(coinsOf(account));
    expect(
      await bank.asOwner(`select stream_id from es.events group by org_id, stream_id having max(version) <> count(*)`),
    ).toEqual([]);
    expect(
      await bank.asOwner(`select 1 from (select pos - lag(pos) over (partition by org_id, stream_id order by version) as step
        from es.events) s where step <= 0`),
    ).toEqual([]);
    expect(
      await bank.asOwner(
        `select event_id from es.events where type = 'CoinsAdded' except select event_id from es.outbox`,
      ),
    ).toEqual([]);
    expect(
      await bank.asOwner(`select org_id, jar_id from jar_totals t where coins <> (select count(*) from es.events e
        where e.org_id = t.org_id and e.stream_id = 'jar-' || t.jar_id and e.type = 'CoinsAdded')`),
    ).toEqual([]);
  }, 120_000);
});

test('the watch bites: without the lock on the key it sees messages appear late', async () => {
  bank = await openPiggyBank({ connections: 16 });
  await unlock('append');
  await bank.asOwner('truncate es.outbox, es.requests');
  const { late } = await underFire('transaction', ({ acknowledged }) => acknowledged.size >= 500);
  expect(late).toBeGreaterThan(0);
  await bank.close();
});
