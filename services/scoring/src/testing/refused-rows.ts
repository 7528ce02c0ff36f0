import { randomBytes } from '@caravan/contracts/testing/seeded';
import { createPool } from '@caravan/event-store/postgres/connections';

type Refusal = { readonly table: string; readonly operation: 'insert' | 'update' | 'delete'; readonly orgId: string };

/**
 * Lets the database refuse an organisation's rows of a table, as a broken row would; answers what ends it. The message
 * is none that says that the database is away.
 */
export async function refuseRows(ownerUrl: string, { table, operation, orgId }: Refusal): Promise<() => Promise<void>> {
  const name = `refuse_${randomBytes(4).toString('hex')}`;
  const row = operation === 'delete' ? 'old' : 'new';
  await asOwner(
    ownerUrl,
    `create function ${name}() returns trigger language plpgsql as $$ begin raise 'refused for this test'; end $$;
     create trigger ${name} before ${operation} on ${table} for each row when (${row}.org_id = '${orgId}')
       execute function ${name}()`,
  );
  return () => asOwner(ownerUrl, `drop function ${name}() cascade`);
}

async function asOwner(url: string, text: string): Promise<void> {
  const pool = createPool(url, { max: 1 });
  try {
    await pool.query(text);
  } finally {
    await pool.end();
  }
}
