import type { Projection } from '@caravan/event-store/projection';
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
    StreakFreezesSwitched: ({ orgId, data }) => [
      {
        text: `insert into streak_rules (org_id, has_freezes) values ($1, $2)
          on conflict (org_id) do update set has_freezes = excluded.has_freezes`,
        values: [orgId, data.areOn],
      },
    ],
    OrganisationClosed: ({ orgId }) => [{ text: 'delete from streak_rules where org_id = $1', values: [orgId] }],
  },
};
