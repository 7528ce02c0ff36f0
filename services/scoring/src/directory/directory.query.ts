import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { onlyZone, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';

/** SQL of `o`, an organisation: its `ZoneHistory`. */
export const zonesSql = `json_build_object('first', o.time_zone, 'changes', o.time_zone_changes)`;
const zonesOfOrganisationSql = `select ${zonesSql} as zones from organisations o where org_id = $1`;
type ZonesRow = { readonly zones: ZoneHistory };

/** Undefined for an organisation that is not known here yet. */
export async function knownZones(pool: Pool, orgId: string): Promise<ZoneHistory | undefined> {
  return (await tenantQuery<ZonesRow>(pool, orgId, zonesOfOrganisationSql, [orgId])).rows[0]?.zones;
}

/** UTC of an organisation that is not known here yet. */
export async function zonesOf(tx: Tx, orgId: string): Promise<ZoneHistory> {
  return (await tx.query<ZonesRow>(zonesOfOrganisationSql, [orgId])).rows[0]?.zones ?? onlyZone('UTC');
}

/** SQL of `m`: whether $2 reads the name. Erased: nobody; hidden: only its owner (D18). Null: not known yet. */
export const isNamedSql = `(not m.is_erased and (m.stats_visible or m.user_id = $2))`;
/** Where the name is hidden there is no id: nothing that stays the same from one answer to the next. */
export const shownIdSql = `case when ${isNamedSql} then m.user_id end`;
export const shownNameSql = `case when m.is_erased or m.stats_visible or m.user_id = $2 then m.name else '${hiddenMemberName}' end`;
export const profileIdSql = `case when m.user_id = $2 or (m.is_active and not m.is_erased and m.stats_visible and m.profile_visible) then m.user_id end`;
/** SQL of `m`: deactivated members are off the boards. Once erased they stay on or off them as they were. */
export const isOffBoardsSql = `(not m.is_active and not (m.is_erased and m.was_active))`;
/** SQL of `m`: whether anybody may be told where they stand. */
export const isRankShownSql = `(m.is_active and not m.is_erased and m.stats_visible and m.profile_visible)`;
export const shownPhotoSql = `case when m.stats_visible or m.user_id = $2 then m.photo_url end`;

/**
 * SQL of `c`: until the news of its maker comes, a movement is its maker's only.
 * A case with look-ups: the planner would take joins for rare and sort all movements.
 */
export const isMovementShownSql = `case
    when c.audience = 'owner' and c.user_id <> $2 then false
    when c.user_id = any(array(
      select user_id from members where org_id = $1 and not activity_visible and user_id <> $2)) then false
    when c.user_id = $2 then true
    else (select true from members a where a.org_id = $1 and a.user_id = c.user_id) is true end`;
