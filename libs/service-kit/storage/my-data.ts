import type { MyData } from '@caravan/contracts/http/my-data';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Pool } from './pool.ts';

/** All as of one instant. `files`: one query by file name; $1 is the organisation, $2 the person. */
export function readMyData(
  pool: Pool,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  files: Readonly<Record<string, string>>,
): Promise<MyData> {
  return withTenant(pool, orgId, async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const read = Object.entries(files).map(async ([name, sql]) => {
      const { rows } = await tx.query(sql, [orgId, userId]);
      return [name, rows] as const;
    });
    return { files: Object.fromEntries(await Promise.all(read)) };
  });
}
