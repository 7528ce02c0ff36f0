import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { ExportRef } from './exports.store.ts';

const exportRef = 'org_id, user_id, export_id';

export async function exportsBegunBefore(pool: Pool, before: Date): Promise<ExportRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<ExportRef>(`select ${exportRef} from exports where state = 'building' and requested_at < $1`, [before]),
  );
  return rows;
}

export async function exportsOver(pool: Pool, at: Date): Promise<ExportRef[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<ExportRef>(`select ${exportRef} from exports where expires_at <= $1`, [at]),
  );
  return rows;
}
