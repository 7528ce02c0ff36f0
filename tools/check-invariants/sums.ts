import type { Pool } from 'pg';

/** Figures by what they belong to, such as centimiles by organisation and member. */
export type Sums = ReadonlyMap<string, number>;

/** What opens a connection that sees all organisations (`app_is_system`). */
export const ofAllOrganisations = { options: '-c app.org=system' };

/** Runs a query that answers with `id` and `sum`, on a connection that sees all organisations. */
export async function sumsOf(pool: Pool, text: string): Promise<Sums> {
  const { rows } = await pool.query<{ id: string; sum: string }>(text);
  return new Map(rows.map(({ id, sum }) => [id, Number(sum)]));
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
