import { Client } from '@caravan/event-store/postgres/client';
import { Pool } from 'pg';

/** Such as centimiles of a member. */
export type Figure = { readonly id: string; readonly sum: number };

/** Sees the rows of every organisation. */
export function poolOfAllOrganisations(connectionString: string, max = 1): Pool {
  const pool = new Pool({ Client, connectionString, options: '-c app.org=system', max });
  // A connection that the server ends fails the statement that runs on it; without listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const rowsAtOnce = 5_000;

/** By rising ids, some thousand rows at a time: an instance has more logs than memory. */
export async function* figuresOf(pool: Pool, text: string): AsyncGenerator<Figure> {
  const client = await pool.connect();
  try {
    await client.query('begin read only');
    await client.query(
      `declare figures no scroll cursor for select id, sum from (${text}) figures order by id collate "C"`,
    );
    for (let isMore = true; isMore;) {
      const { rows } = await client.query<{ id: string; sum: string }>(`fetch ${rowsAtOnce} from figures`);
      for (const { id, sum } of rows) yield { id, sum: Number(sum) };
      isMore = rows.length === rowsAtOnce;
    }
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Both by rising ids; a missing figure counts as 0, but where the claim is a part of the truth. At most five are told. */
export async function differences(
  { name, isPart = false }: { readonly name: string; readonly isPart?: boolean },
  truth: AsyncIterable<Figure>,
  claim: AsyncIterable<Figure>,
): Promise<string[]> {
  const told: string[] = [];
  let untold = 0;
  for await (const [id, should, is] of side(truth, claim)) {
    if (should === is || (isPart && is === 0)) continue;
    if (told.length < 5) told.push(`${name}: ${id} is ${is}, should be ${should}`);
    else untold += 1;
  }
  return untold > 0 ? [...told, `${name}: ${untold} more`] : told;
}

async function* side(truth: AsyncIterable<Figure>, claim: AsyncIterable<Figure>) {
  const truths = truth[Symbol.asyncIterator]();
  const claims = claim[Symbol.asyncIterator]();
  let [should, is] = await Promise.all([truths.next(), claims.next()]);
  while (!should.done || !is.done) {
    if (is.done || (!should.done && should.value.id < is.value.id)) {
      if (!should.done) yield [should.value.id, should.value.sum, 0] as const;
      should = await truths.next();
    } else if (should.done || is.value.id < should.value.id) {
      yield [is.value.id, 0, is.value.sum] as const;
      is = await claims.next();
    } else {
      yield [is.value.id, should.value.sum, is.value.sum] as const;
      [should, is] = await Promise.all([truths.next(), claims.next()]);
    }
  }
}
