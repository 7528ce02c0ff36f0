import { serviceNames, type ServiceName } from '@caravan/contracts/events/topics';
import { Client } from '@caravan/event-store/postgres/client';
import type { Product } from '../product.ts';

export const ownerUrl = (product: Product, service: ServiceName): string =>
  new URL(`/caravan_${service}`, product.postgresOwner).href;

export type Tx = { query(text: string, values?: readonly unknown[]): Promise<object[]> };

/** The owner sees every organisation; all in one transaction. */
export const asOwner = <Answer>(
  product: Product,
  service: ServiceName,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> => asOwnerOf(ownerUrl(product, service), work);

export async function asOwnerOf<Answer>(url: string, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Not yet on disk is good enough for a throw-away instance.
    await client.query(`begin; set local app.org = 'system'; set local synchronous_commit = off`);
    await client.query(`set local work_mem = '128MB'; set local maintenance_work_mem = '256MB'`);
    const answer = await work({
      query: async (text, values = []) => (await client.query<object>(text, [...values])).rows,
    });
    await client.query('commit');
    return answer;
  } finally {
    await client.end();
  }
}

/** Leaves nothing for autovacuum to do during a measurement. */
export async function vacuum(product: Product): Promise<void> {
  await Promise.all(
    serviceNames.map(async (service) => {
      const client = new Client({ connectionString: ownerUrl(product, service) });
      await client.connect();
      try {
        await client.query('vacuum (analyze, skip_locked)');
      } finally {
        await client.end();
      }
    }),
  );
}
