import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { Client } from 'pg';
import type { RunFile } from './run-file.ts';

/** Messages of a service that wait for an operator. */
export type Standing = { readonly service: ServiceName; readonly parked: number; readonly refused: number };

/** What stands still in each service of a running instance: not applied by a consumer, or refused by Kafka. */
export async function standingMessages({ postgres }: Pick<RunFile, 'postgres'>): Promise<Standing[]> {
  const all = await Promise.all(
    serviceNames.map(async (service) => ({ service, ...(await countIn(postgres[service])) })),
  );
  return all.filter(({ parked, refused }) => parked + refused > 0);
}

async function countIn(connectionString: string | undefined): Promise<Omit<Standing, 'service'>> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    const { rows } = await client.query<Omit<Standing, 'service'>>(
      'select (select count(*) from msg.parked)::int as parked, (select count(*) from es.refused)::int as refused',
    );
    return rows[0] ?? { parked: 0, refused: 0 };
  } finally {
    await client.end().catch(() => undefined);
  }
}
