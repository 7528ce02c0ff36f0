/** SQL of `o`, an organisation: its `ZoneHistory`. */
export const zonesSql = `json_build_object('first', o.time_zone, 'changes', o.time_zone_changes)`;
