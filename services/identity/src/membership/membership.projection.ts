import type { Projection } from '@caravan/event-store/projection';
import type { MembershipEvent } from './membership.ts';
import type { TeamEvent } from './team.ts';

/** Who belongs to which team, and how many active members each team has: what the next one to join is placed by. */
export const membershipProjection: Projection<MembershipEvent | TeamEvent> = {
  name: 'memberships',
  revision: 1,
  tables: ['memberships', 'team_rosters'],
  on: {
    TeamFormed: ({ orgId, data }) => [
      {
        text: 'insert into team_rosters (org_id, team_id, formed_at, active_members) values ($1, $2, $3, 0)',
        values: [orgId, data.teamId, data.formedAt],
      },
    ],
    MemberJoined: ({ orgId, data }) => [
      {
        text: `with joined as (
            insert into memberships (org_id, user_id, team_id, role, is_active, joined_at)
            values ($1, $2, $3, $4, true, $5) returning org_id, team_id)
          update team_rosters roster set active_members = roster.active_members + 1
          from joined where (roster.org_id, roster.team_id) = (joined.org_id, joined.team_id)`,
        values: [orgId, data.userId, data.teamId, data.role, data.joinedAt],
      },
    ],
    AdminAppointed: ({ orgId, data }) => [
      {
        text: "update memberships set role = 'admin' where org_id = $1 and user_id = $2",
        values: [orgId, data.userId],
      },
    ],
  },
};
