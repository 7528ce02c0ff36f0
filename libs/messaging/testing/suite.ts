import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { EventStore } from '@caravan/event-store/core/event-store';
import { createPool, type PoolOptions } from '@caravan/event-store/postgres/connections';
import { createPostgresEventStore } from '@caravan/event-store/postgres/postgres-event-store';
import { createTestDatabase } from '@caravan/service-kit/testing/database';
import type { Kafka } from '../kafka/kafka-port.ts';
import { hastyKafka, type SuiteAddress } from './settings.ts';

type Pool = ReturnType<typeof createPool>;

const libraries = resolve(import.meta.dirname, '../..');

/** `url`: where a proxy leads to the database of the suite. */
export type SuitePoolOptions = Pick<PoolOptions, 'silenceMilliseconds'> & { readonly url?: string };

/** A suite's own database and topics, with a store that fills the outbox. */
export type Suite = {
  readonly address: SuiteAddress;
  readonly pool: Pool;
  readonly owner: Pool;
  readonly store: EventStore;
  readonly kafka: Kafka;
  /** Hears of every transaction that published something. */
  onCommitted: () => void;
  /** A pool that ends with the suite. */
  newPool(max: number, options?: SuitePoolOptions): Pool;
  close(): Promise<void>;
};

/** Opens a suite on a broker. */
export async function openSuite(broker: string): Promise<Suite> {
  const folders = [`${libraries}/event-store/migrations`, `${libraries}/messaging/migrations`];
  const database = await createTestDatabase({ folders: [...folders, `${import.meta.dirname}/migrations`] });
  const address = { databaseUrl: database.url, kafka: broker, prefix: `t-${randomBytes(5).toString('hex')}.` };
  const pools: Pool[] = [];
  const newPool = (max: number, { url = database.url, ...options }: SuitePoolOptions = {}) => {
    const pool = createPool(url, { max, ...options });
    pools.push(pool);
    return pool;
  };
  const pool = newPool(16);
  const kafka = hastyKafka(address, 6_000);
  const suite: Suite = {
    address,
    pool,
    owner: newPool(2, { url: database.ownerUrl }),
    store: createPostgresEventStore({ pool, service: 'activity', onCommitted: () => suite.onCommitted() }),
    kafka,
    onCommitted: () => undefined,
    newPool,
    close: async () => {
      await kafka.close();
      await Promise.all(pools.map((open) => open.end()));
      await database.drop();
    },
  };
  return suite;
}
