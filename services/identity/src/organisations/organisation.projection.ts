import type { Projection } from '@caravan/event-store/core/projection';
import type { OrganisationEvent } from './organisation.ts';

/** Where freezes were switched; streaks are told by it when they are read (D11). */
export const streakRulesProjection: Projection<OrganisationEvent> = {
  name: 'streak-rules',
  revision: 1,
  tables: ['streak_rules'],
  on: {
    // Names and looks are rows.
    OrganisationFounded: 'ignored',
    CompanySetUp: 'ignored',
    OrganisationTimeZoneChanged: 'ignored',
    StreakFreezesSwitched: ({ orgId, data }) => [{ text: switchedSql, rows: [{ org_id: orgId, are_on: data.areOn }] }],
    OrganisationClosed: ({ orgId }) => [{ text: closedSql, rows: [{ org_id: orgId }] }],
  },
};

const switchedSql = `
  insert into streak_rules (org_id, has_freezes)
  select distinct on (org_id) org_id, are_on
  from rows from (json_to_recordset($1) as (org_id uuid, are_on boolean)) with ordinality as s (org_id, are_on, nth)
  order by org_id, nth desc
  on conflict (org_id) do update set has_freezes = excluded.has_freezes`;

const closedSql = `
  delete from streak_rules r using json_to_recordset($1) as c (org_id uuid) where r.org_id = c.org_id`;
