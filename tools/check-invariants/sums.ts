import type { Pool } from 'pg';

/** Figures by what they belong to, such as centimiles by organisation and member. */
export type Sums = ReadonlyMap<string, number>;

/** Runs a query that answers with `id` and `sum` over all organisations. */
export async function sumsOf(pool: Pool, text: string): Promise<Sums> {
  const client = await pool.connect();
  try {
    await client.query("begin; select set_config('app.org', 'system', true)");
    const { rows } = await client.query<{ id: string; sum: string }>(text);
    await client.query('commit');
    return new Map(rows.map(({ id, sum }) => [id, Number(sum)]));
  } finally {
    client.release();
  }
}

/** Where two sets of figures differ; a missing figure counts as 0. At most five differences are told. */
export function differences(name: string, truth: Sums, claim: Sums): string[] {
  const ids = new Set([...truth.keys(), ...claim.keys()]);
  const wrong = [...ids].filter((id) => (truth.get(id) ?? 0) !== (claim.get(id) ?? 0));
  const told = wrong
    .slice(0, 5)
    .map((id) => `${name}: ${id} is ${claim.get(id) ?? 0}, should be ${truth.get(id) ?? 0}`);
  return wrong.length > told.length ? [...told, `${name}: ${wrong.length - told.length} more`] : told;
}
