import { createTestDatabase, type TestDatabase } from '@caravan/service-kit/testing/database';
import pg from 'pg';
import type { Committed, EventStore } from '../core/event-store.ts';
import { createPostgresEventStore } from '../postgres/postgres-event-store.ts';
import { createPatientPool, createPool } from '../postgres/connections.ts';
import { jarTables } from './jars.ts';

export type PiggyBank = {
  readonly database: TestDatabase;
  readonly pool: pg.Pool;
  readonly store: EventStore;
  readonly committed: Committed[];
  /** Runs statements as the owner who sees every organisation. */
  asOwner<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
};

export async function openPiggyBank(options: { readonly connections?: number } = {}): Promise<PiggyBank> {
  const database = await createTestDatabase({ folders: [`${import.meta.dirname}/../migrations`] });
  const owner = createPatientPool(database.ownerUrl, { max: 2 });
  for (const statement of jarTables) await owner.query(statement);
  const role = pg.escapeIdentifier(new URL(database.url).username);
  await owner.query(`grant select, insert, update, delete on jar_totals, jar_entries to ${role}`);
  const pool = createPool(database.url, { max: options.connections ?? 8 });
  const committed: Committed[] = [];
  const store = createPostgresEventStore({ pool, service: 'piggy-bank', onCommitted: (it) => committed.push(it) });
  return {
    database,
    pool,
    store,
    committed,
    async asOwner<Row extends object>(text: string, values: readonly unknown[] = []) {
      const client = await owner.connect();
      try {
        await client.query(`select set_config('app.org', 'system', false)`);
        return (await client.query<Row>(text, [...values])).rows;
      } finally {
        client.release();
      }
    },
    async close() {
      await Promise.all([pool.end(), owner.end()]);
      await database.drop();
    },
  };
}
