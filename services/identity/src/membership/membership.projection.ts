import type { Projection } from '@caravan/event-store/projection';
import type { MembershipEvent } from './membership.ts';
import type { TeamEvent } from './team.ts';

/** Members of teams, and how many are active: what the next one to join is placed by. */
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
    // Names and retirement are rows.
    TeamRenamed: 'ignored',
    TeamRetired: 'ignored',
    TeamReopened: 'ignored',
    TeamDissolved: ({ orgId, data }) => [
      { text: 'delete from team_rosters where org_id = $1 and team_id = $2', values: [orgId, data.teamId] },
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
    MemberMoved: ({ orgId, data }) => [
      {
        text: `with moved as (
            update memberships set team_id = $4 where org_id = $1 and user_id = $2 returning org_id, is_active)
          update team_rosters roster
          set active_members = roster.active_members + case roster.team_id when $4 then 1 else -1 end
          from moved where moved.is_active and roster.org_id = moved.org_id and roster.team_id in ($3, $4)`,
        values: [orgId, data.userId, data.fromTeamId, data.teamId],
      },
    ],
    MemberDeactivated: ({ orgId, data }) => [activity(orgId, data.userId, false)],
    MemberReactivated: ({ orgId, data }) => [activity(orgId, data.userId, true)],
    AdminAppointed: ({ orgId, data }) => [role(orgId, data.userId, 'admin')],
    AdminDismissed: ({ orgId, data }) => [role(orgId, data.userId, 'member')],
    ProfileEdited: 'ignored',
    PrivacyChosen: 'ignored',
    MemberErased: ({ orgId, data }) => [
      {
        text: `with erased as (
            delete from memberships where org_id = $1 and user_id = $2 returning org_id, team_id, is_active)
          update team_rosters roster set active_members = roster.active_members - 1
          from erased where erased.is_active and (roster.org_id, roster.team_id) = (erased.org_id, erased.team_id)`,
        values: [orgId, data.userId],
      },
    ],
  },
  inBulk: {
    MemberJoined: [
      `insert into memberships (org_id, user_id, team_id, role, is_active, joined_at)
       select org_id, (data->>'userId')::uuid, (data->>'teamId')::uuid, data->>'role', true,
         (data->>'joinedAt')::timestamptz from stretch`,
      `update team_rosters roster set active_members = roster.active_members + joined.count
       from (select org_id, (data->>'teamId')::uuid as team_id, count(*)::int as count from stretch group by 1, 2) joined
       where (roster.org_id, roster.team_id) = (joined.org_id, joined.team_id)`,
    ],
  },
};

function activity(orgId: string, userId: string, isActive: boolean) {
  return {
    text: `with changed as (
        update memberships set is_active = $3 where org_id = $1 and user_id = $2 and is_active <> $3
        returning org_id, team_id)
      update team_rosters roster set active_members = roster.active_members + case when $3 then 1 else -1 end
      from changed where (roster.org_id, roster.team_id) = (changed.org_id, changed.team_id)`,
    values: [orgId, userId, isActive],
  };
}

function role(orgId: string, userId: string, role: 'admin' | 'member') {
  return { text: 'update memberships set role = $3 where org_id = $1 and user_id = $2', values: [orgId, userId, role] };
}
