import { formerMemberName } from '@caravan/contracts/identity.events';
import type { Tx } from '@caravan/event-store/event-store';
import type { Recorded } from '@caravan/event-store/projection';
import { type PublicHistory, publicHistory } from '@caravan/event-store/public-history';
import { memberships, teams } from './membership/membership.store.ts';
import type { MembershipEvent } from './membership/membership.ts';
import type { MemberDetails, TeamNaming } from './membership/public-events.ts';
import type { TeamEvent } from './membership/team.ts';
import { organisations } from './organisations/organisation.store.ts';
import type { OrganisationEvent } from './organisations/organisation.ts';
import type { OrganisationNaming } from './organisations/public-events.ts';

/** What this service publishes again for read models elsewhere: all that it records, with names as they are now. */
export const history: readonly PublicHistory[] = [
  publicHistory(organisations, organisationsOf),
  publicHistory(teams, teamsOf),
  publicHistory(memberships, membersOf),
];

async function organisationsOf(tx: Tx, events: readonly Recorded<OrganisationEvent>[]): Promise<OrganisationNaming[]> {
  const { rows } = await tx.query<OrganisationNaming & { orgId: string }>(
    `select org_id as "orgId", name, time_zone as "timeZone", nullif(industry, '') as industry
     from organisations where org_id = any($1::uuid[])`,
    [events.map(({ orgId }) => orgId)],
  );
  const found = new Map(rows.map(({ orgId, ...naming }) => [orgId, naming]));
  return events.map(({ orgId }) => found.get(orgId) ?? { name: '', timeZone: 'UTC', industry: null });
}

async function teamsOf(tx: Tx, events: readonly Recorded<TeamEvent>[]): Promise<TeamNaming[]> {
  const { rows } = await tx.query<TeamNaming & { teamId: string }>(
    `select team_id as "teamId", name, emoji from teams
     where (org_id, team_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.teamId)],
  );
  const found = new Map(rows.map(({ teamId, ...naming }) => [teamId, naming]));
  return events.map(({ data }) => found.get(data.teamId) ?? { name: '', emoji: '' });
}

async function membersOf(tx: Tx, events: readonly Recorded<MembershipEvent>[]): Promise<MemberDetails[]> {
  const { rows } = await tx.query<MemberDetails & { userId: string }>(
    `select user_id as "userId", name, time_zone as "timeZone", profile_photo_url as "profilePhotoUrl" from persons
     where (org_id, user_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.userId)],
  );
  const found = new Map(rows.map(({ userId, ...details }) => [userId, details]));
  const erased = { name: formerMemberName, timeZone: 'UTC', profilePhotoUrl: null };
  return events.map(({ data }) => found.get(data.userId) ?? erased);
}
