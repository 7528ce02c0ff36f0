import type { LogPositions } from '@caravan/contracts/events/log-position';
import { afterAll, expect, test } from 'vitest';
import type { EventStore } from '../core/event-store.ts';
import { eventStoreContract } from '../testing/event-store.contract.ts';
import { tenantQuery, withTenant } from './connections.ts';
import { add, jars, note, openJar, somebody } from '../testing/jars.ts';
import { openPiggyBank, type PiggyBank } from '../testing/piggy-bank.ts';
import type { Published } from '../testing/store-under-test.ts';

const banks: PiggyBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

async function openedBank(): Promise<PiggyBank> {
  const bank = await openPiggyBank();
  banks.push(bank);
  return bank;
}

type Row = Omit<Published, 'causes' | 'traceparent'> & { causes: LogPositions; traceparent: string | null };

const outbox = `select pos as position, partition_key as key, org_id, type, version, data, causes,
  actor_id, occurred_at, traceparent from es.outbox where org_id = $1 order by pos`;

const ways: [string, (store: EventStore) => EventStore][] = [
  ['the event store on PostgreSQL', (store) => store],
  [
    'the event store on PostgreSQL where commands share transactions',
    ({ sharedTransaction, ...store }) => ({
      ...store,
      sharedTransaction,
      transaction: sharedTransaction,
      handle: (meta, ...command) => sharedTransaction(meta, (unit) => unit.handle(...command)),
    }),
  ],
];

for (const [name, wayOf] of ways)
  eventStoreContract(name, async () => {
    const opened = await openedBank();
    const { committed, pool } = opened;
    return {
      store: wayOf(opened.store),
      committed,
      async publishedEvents(orgId) {
        const rows = await opened.asOwner<Row>(outbox, [orgId]);
        return rows.map(({ causes, traceparent, ...message }) => ({
          ...message,
          ...(Object.keys(causes).length > 0 && { causes }),
          ...(traceparent !== null && { traceparent }),
        }));
      },
      logText: async () => JSON.stringify(await opened.asOwner('select * from es.events')),
      async coins(orgId, jarId) {
        const text = 'select coins from jar_totals where jar_id = $1';
        const { rows } = await tenantQuery<{ coins: number }>(pool, orgId, text, [jarId]);
        return rows[0]?.coins;
      },
      open: (orgId, work) => withTenant(pool, orgId, work),
    };
  });

test('a store neither reads nor decides on what a newer process has recorded in a form of its own', async () => {
  const { store, asOwner } = await openedBank();
  const me = somebody();
  await store.handle(me, jars, 'a', openJar('a'), note);
  await asOwner('update es.events set schema_version = 2 where org_id = $1', [me.orgId]);
  await expect(store.read(me.orgId, jars, 'a')).rejects.toThrow('schema version 2');
  await expect(store.handle(me, jars, 'a', add('a', 1), note)).rejects.toThrow('schema version 2');
});
