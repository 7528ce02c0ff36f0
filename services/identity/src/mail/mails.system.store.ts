import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

export async function mailsOlderThan(
  pool: Pool,
  before: Date,
  except: readonly string[],
): Promise<{ orgId: string; mailId: string }[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<{ orgId: string; mailId: string }>(
      `select org_id, mail_id from mails where written_at < $1 and mail_id <> all($2::uuid[])
        order by written_at limit 1000`,
      [before, except],
    ),
  );
  return rows;
}

export async function forgetMailsOlderThan(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await withSystem(pool, (tx) => tx.query('delete from mails where written_at < $1', [before]));
  return rowCount ?? 0;
}
