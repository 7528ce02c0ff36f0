import { withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import type { Pool } from '../storage/pool.ts';

export type Tenancy = {
  /** Tables with an organisation's rows that row-level security does not guard, for the service's role and the owner. */
  readonly unguarded: readonly string[];
  /** Tables in which one organisation sees rows of another. */
  readonly leaking: readonly string[];
  /** Tables that hold rows of another organisation at all: where there are none, nothing is proven. */
  readonly proven: readonly string[];
};

type Table = { readonly name: string; readonly isGuarded: boolean };

/** Looks at every table of a service's database with the eyes of one organisation (S18). */
export async function tenancyOf(pool: Pool, orgId: string): Promise<Tenancy> {
  const { rows: tables } = await pool.query<Table>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity
        and exists (select from pg_policy p where p.polrelid = c.oid) as is_guarded
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const foreign = (name: string) => `select from ${name} where org_id <> '${orgId}' limit 1`;
  const holding = async (see: (sql: string) => Promise<{ rowCount: number | null }>) => {
    const found: string[] = [];
    for (const { name } of tables) if ((await see(foreign(name))).rowCount) found.push(name);
    return found;
  };
  return {
    unguarded: tables.filter(({ isGuarded }) => !isGuarded).map(({ name }) => name),
    leaking: await holding((sql) => withTenant(pool, orgId, (tx) => tx.query(sql))),
    proven: await holding((sql) => withSystem(pool, (tx) => tx.query(sql))),
  };
}
