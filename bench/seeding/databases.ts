import { serviceNames, type ServiceName } from '@caravan/contracts/topics';
import pg from 'pg';
import type { Product } from '../product.ts';

/** Address of a service's database for its owner. */
export const ownerUrl = (product: Product, service: ServiceName): string =>
  new URL(`/caravan_${service}`, product.postgresOwner).href;

export type Tx = { query(text: string, values?: readonly unknown[]): Promise<object[]> };

/** Runs statements as the owner who sees every organisation, in one transaction; answers what the work answers. */
export const asOwner = <Answer>(
  product: Product,
  service: ServiceName,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> => asOwnerOf(ownerUrl(product, service), work);

/** The same for a database by its address. */
export async function asOwnerOf<Answer>(url: string, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Not yet on disk is good enough for rows that a throw-away instance begins with.
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

/** Leaves nothing for the database's own cleaner to do during a measurement. */
export async function vacuum(product: Product): Promise<void> {
  await Promise.all(
    serviceNames.map(async (service) => {
      const client = new pg.Client({ connectionString: ownerUrl(product, service) });
      await client.connect();
      try {
        await client.query('vacuum (analyze, skip_locked)');
      } finally {
        await client.end();
      }
    }),
  );
}
