import type { Projection, Statement } from '@caravan/event-store/core/projection';
import type { MembershipEvent } from './membership.ts';
import type { TeamEvent } from './team.ts';

/** Members of teams, and how many are active: what the next one to join is placed by. */
export const membershipProjection: Projection<MembershipEvent | TeamEvent> = {
  name: 'memberships',
  revision: 1,
  tables: ['memberships', 'team_rosters'],
  on: {
    TeamFormed: ({ orgId, data }) => [
      { text: formedSql, rows: [{ org_id: orgId, team_id: data.teamId, formed_at: data.formedAt }] },
    ],
    // Names and retirement are rows.
    TeamRenamed: 'ignored',
    TeamRetired: 'ignored',
    TeamReopened: 'ignored',
    TeamNamedByBallot: 'ignored',
    TeamDissolved: ({ orgId, data }) => [{ text: dissolvedSql, rows: [{ org_id: orgId, team_id: data.teamId }] }],
    MemberJoined: ({ orgId, data }) => [
      {
        text: joinedSql,
        rows: [
          {
            org_id: orgId,
            user_id: data.userId,
            team_id: data.teamId,
            role: data.role,
            joined_at: data.joinedAt,
          },
        ],
      },
    ],
    MemberMoved: ({ orgId, data }) => [
      { text: movedSql, rows: [{ org_id: orgId, user_id: data.userId, team_id: data.teamId }] },
    ],
    MemberDeactivated: ({ orgId, data }) => [activity(orgId, data.userId, false)],
    MemberReactivated: ({ orgId, data }) => [activity(orgId, data.userId, true)],
    AdminAppointed: ({ orgId, data }) => [role(orgId, data.userId, 'admin')],
    AdminDismissed: ({ orgId, data }) => [role(orgId, data.userId, 'member')],
    ProfileEdited: 'ignored',
    PrivacyChosen: 'ignored',
    MemberErased: ({ orgId, data }) => [{ text: erasedSql, rows: [{ org_id: orgId, user_id: data.userId }] }],
  },
};

const activity = (orgId: string, userId: string, isActive: boolean): Statement => ({
  text: activitySql,
  rows: [{ org_id: orgId, user_id: userId, is_active: isActive }],
});

const role = (orgId: string, userId: string, role: 'admin' | 'member'): Statement => ({
  text: roleSql,
  rows: [{ org_id: orgId, user_id: userId, role }],
});

/** What a list of changed members, with a team and a difference each, does to the active members of teams. */
const rostersSql = (changes: string) => `
  update team_rosters roster set active_members = roster.active_members + change.difference
  from (select org_id, team_id, sum(difference) as difference from (${changes}) c group by 1, 2) change
  where (roster.org_id, roster.team_id) = (change.org_id, change.team_id) and change.difference <> 0`;

/** The last row of a set for each member. */
const lastOfEach = (columns: string, types: string) => `
  select distinct on (org_id, user_id) org_id, user_id, ${columns}
  from rows from (json_to_recordset($1) as (org_id uuid, user_id uuid, ${types}))
    with ordinality as r (org_id, user_id, ${columns}, nth)
  order by org_id, user_id, nth desc`;

const formedSql = `
  insert into team_rosters (org_id, team_id, formed_at, active_members)
  select org_id, team_id, formed_at, 0 from json_to_recordset($1) as t (org_id uuid, team_id uuid, formed_at timestamptz)`;

const dissolvedSql = `
  delete from team_rosters r using json_to_recordset($1) as t (org_id uuid, team_id uuid)
  where (r.org_id, r.team_id) = (t.org_id, t.team_id)`;

const joinedSql = `
  with joined as (
    insert into memberships (org_id, user_id, team_id, role, is_active, joined_at)
    select org_id, user_id, team_id, role, true, joined_at
    from json_to_recordset($1) as m (org_id uuid, user_id uuid, team_id uuid, role text, joined_at timestamptz)
    returning org_id, team_id
  ) ${rostersSql('select org_id, team_id, 1 as difference from joined')}`;

const movedSql = `
  with moved as (
    update memberships m set team_id = r.team_id from (${lastOfEach('team_id', 'team_id uuid')}) r
    where (m.org_id, m.user_id) = (r.org_id, r.user_id)
    returning m.org_id, m.is_active, old.team_id as from_team_id, new.team_id as to_team_id
  ) ${rostersSql(`
    select org_id, from_team_id as team_id, -1 as difference from moved where is_active
    union all select org_id, to_team_id, 1 from moved where is_active`)}`;

const activitySql = `
  with changed as (
    update memberships m set is_active = r.is_active from (${lastOfEach('is_active', 'is_active boolean')}) r
    where (m.org_id, m.user_id) = (r.org_id, r.user_id) and m.is_active <> r.is_active
    returning m.org_id, m.team_id, case when m.is_active then 1 else -1 end as difference
  ) ${rostersSql('select * from changed')}`;

const roleSql = `
  update memberships m set role = r.role from (${lastOfEach('role', 'role text')}) r
  where (m.org_id, m.user_id) = (r.org_id, r.user_id)`;

const erasedSql = `
  with erased as (
    delete from memberships m using json_to_recordset($1) as r (org_id uuid, user_id uuid)
    where (m.org_id, m.user_id) = (r.org_id, r.user_id) returning m.org_id, m.team_id, m.is_active
  ) ${rostersSql('select org_id, team_id, -1 as difference from erased where is_active')}`;
