import { onlyZone, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';

/** SQL of `o`, an organisation: its `ZoneHistory`. */
export const zonesSql = `json_build_object('first', o.time_zone, 'changes', o.time_zone_changes)`;

/** UTC of an organisation that is not known here yet. */
export async function zonesOf(tx: Tx, orgId: string): Promise<ZoneHistory> {
  const { rows } = await tx.query<{ zones: ZoneHistory }>(
    `select ${zonesSql} as zones from organisations o where org_id = $1`,
    [orgId],
  );
  return rows[0]?.zones ?? onlyZone('UTC');
}
