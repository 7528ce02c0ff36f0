import { randomUUIDv7 } from 'node:crypto';
import type { Role } from '@caravan/contracts/events/fields';
import type { Privacy } from '@caravan/contracts/http/people';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import type { StreamKind, Unit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { membershipProjection } from './membership.projection.ts';
import { membership } from './membership.ts';
import type { Membership, MembershipCommand, MembershipEvent } from './membership.ts';
import { membershipPublicEvents, teamPublicEvents } from './public-events.ts';
import type { MemberDetails, TeamNaming } from './public-events.ts';
import { firstTeams, team } from './team.ts';
import type { Team, TeamCommand, TeamEvent, TeamStrength } from './team.ts';
import { storeTeam } from './teams.store.ts';

export const teams: StreamKind<Team, TeamCommand, TeamEvent, TeamNaming> = {
  decider: team,
  projections: [membershipProjection],
  publicEvents: teamPublicEvents,
};

export const memberships: StreamKind<Membership, MembershipCommand, MembershipEvent, MemberDetails> = {
  decider: membership,
  projections: [membershipProjection],
  publicEvents: membershipPublicEvents,
};

export type TeamRef = { readonly id: string; readonly name: string; readonly emoji: string };

export type NewMember = {
  readonly userId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly role: Role;
  readonly teamId: string | null;
};

export async function formFirstTeams(unit: Unit): Promise<void> {
  // Formed at one instant: the order of their ids says which is the older.
  const teamIds = firstTeams.map(() => randomUUIDv7()).toSorted();
  for (const [nth, teamId] of teamIds.entries()) {
    const naming = firstTeams[nth] ?? { name: '', emoji: '' };
    await storeTeam(unit, teamId, naming);
    await unit.create(teams, teamId, { type: 'FormTeam', teamId, isNameTaken: false }, naming);
  }
}

/** Takes the organisation's lock and joins a team: the one named, else the smallest. Throws `Rejected`. */
export async function joinOrganisation(
  unit: Unit,
  { userId, name, timeZone, role, teamId }: NewMember,
): Promise<TeamRef> {
  const { orgId, at } = unit.meta;
  // A member who joins later sees this one counted: one at a time chooses the smallest team.
  await lockOrganisation(unit);
  const open = await openTeams(unit);
  const joinedOn = localDateOf(at, timeZone);
  const command = { type: 'JoinOrganisation', userId, role, joinedOn, teams: open, teamId } as const;
  const details = { name, timeZone, profilePhotoUrl: null };
  const { state } = await unit.create(memberships, userId, command, details);
  await unit.tx.query(
    'insert into member_scores (org_id, user_id, total_centimiles, position) values ($1, $2, 0, 0) on conflict do nothing',
    [orgId, userId],
  );
  const joined = open.find((candidate) => state.is === 'member' && candidate.teamId === state.teamId);
  if (!joined) throw new Error('A member joined a team that the organisation does not have');
  return { id: joined.teamId, name: joined.name, emoji: joined.emoji };
}

/** Takes the organisation's lock; somebody deactivated comes back by it. */
export async function appointAdmin(unit: Unit, userId: string): Promise<void> {
  await lockOrganisation(unit);
  const command = { type: 'AppointAdmin', userId, openTeams: await openTeams(unit) } as const;
  await unit.handle(memberships, userId, command, await detailsOf(unit, userId));
  await endHold(unit, userId);
}

/** Puts a new member on hold until they are let in: nobody sees them, and they see nobody. */
export async function holdMember(unit: Unit, userId: string): Promise<void> {
  await wake(unit, userId, false);
}

export async function admitMember(unit: Unit, userId: string): Promise<void> {
  await lockOrganisation(unit);
  await wake(unit, userId, true);
}

/**
 * Takes the organisation's lock; the rows are the caller's. Throws `Rejected` (422) for the last admin among others.
 */
export async function eraseMember(unit: Unit, userId: string, isClosing = false): Promise<void> {
  await lockOrganisation(unit);
  const { orgId } = unit.meta;
  const details = await detailsOf(unit, userId);
  const others = isClosing ? { otherActiveMembers: 0, otherActiveAdmins: 0 } : await activeBeside(unit, userId);
  await unit.handle(memberships, userId, { type: 'EraseMember', userId, ...others }, details);
  await unit.tx.query('delete from member_scores where org_id = $1 and user_id = $2', [orgId, userId]);
  await unit.tx.query('delete from member_badges where org_id = $1 and user_id = $2', [orgId, userId]);
  await unit.tx.query('delete from ballot_voters where org_id = $1 and user_id = $2', [orgId, userId]);
}

export async function dissolveTeams(unit: Unit): Promise<void> {
  const { orgId } = unit.meta;
  const { rows } = await unit.tx.query<TeamNaming & { teamId: string }>(
    'select team_id, name, emoji from teams where org_id = $1 order by team_id',
    [orgId],
  );
  for (const { teamId, ...naming } of rows) await unit.handle(teams, teamId, { type: 'DissolveTeam', teamId }, naming);
  await unit.tx.query('delete from teams where org_id = $1', [orgId]);
}

export async function editProfile(unit: Unit, userId: string): Promise<void> {
  await unit.handle(memberships, userId, { type: 'EditProfile', userId }, await detailsOf(unit, userId));
}

/** `objectPath` is bare; null shows none. False when it was so before. Throws `Rejected` for who does not exist. */
export async function showPhoto(unit: Unit, userId: string, objectPath: string | null): Promise<boolean> {
  const before = await detailsOf(unit, userId, 'for no key update');
  if (before.profilePhotoUrl === objectPath) return false;
  await unit.tx.query('update persons set profile_photo_url = $3 where org_id = $1 and user_id = $2', [
    unit.meta.orgId,
    userId,
    objectPath,
  ]);
  await editProfile(unit, userId);
  return true;
}

export async function choosePrivacy(
  unit: Unit,
  userId: string,
  privacy: { [Key in keyof Privacy]?: boolean | undefined },
): Promise<void> {
  const command = { type: 'ChoosePrivacy', userId, privacy } as const;
  const { state } = await unit.handle(memberships, userId, command, await detailsOf(unit, userId));
  if (state.is !== 'member') return;
  const { profileVisible, activityVisible, statsVisible, ...beside } = state.privacy;
  await unit.tx.query(
    `update persons set profile_visible = $3, activity_visible = $4, stats_visible = $5, share_heart_rate = $6,
      share_calories = $7, featured_in_recaps = $8 where org_id = $1 and user_id = $2`,
    [
      unit.meta.orgId,
      userId,
      profileVisible,
      activityVisible,
      statsVisible,
      beside.shareHeartRate,
      beside.shareCalories,
      beside.featuredInRecaps,
    ],
  );
}
/** An admin's word goes before the mail. True for a guest. */
export async function endHold({ tx, meta }: Unit, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "update persons set pending_domains = '{}' where org_id = $1 and user_id = $2 and pending_domains <> '{}'",
    [meta.orgId, userId],
  );
  return rowCount === 1;
}

/** Lets a newcomer in, or makes them wait: the others know them, and count them out until then. */
async function wake(unit: Unit, userId: string, isActive: boolean): Promise<void> {
  const now = { openTeams: await openTeams(unit), otherActiveAdmins: 0 };
  const command = { type: 'ManageMember', userId, role: undefined, teamId: undefined, isActive, ...now } as const;
  await unit.handle(memberships, userId, command, await detailsOf(unit, userId));
}

/** Whatever places members or counts admins does so one at a time. */
export async function lockOrganisation({ tx, meta }: Unit): Promise<void> {
  await tx.query('select es.lock_keys(array[$1])', [meta.orgId]);
}

type OpenTeam = TeamStrength & { readonly name: string; readonly emoji: string };

export async function openTeams({ tx, meta }: Unit): Promise<OpenTeam[]> {
  const { rows } = await tx.query<OpenTeam>(
    `select t.team_id, t.name, t.emoji, r.active_members, r.formed_at
      from team_rosters r join teams t on (t.org_id, t.team_id) = (r.org_id, r.team_id)
      where r.org_id = $1 and t.retired_at is null`,
    [meta.orgId],
  );
  return rows;
}

export async function activeBeside({ tx, meta }: Unit, userId: string) {
  const { rows } = await tx.query<{ otherActiveMembers: number; otherActiveAdmins: number }>(
    `select count(*) as other_active_members, count(*) filter (where role = 'admin') as other_active_admins
      from memberships where org_id = $1 and user_id <> $2 and is_active`,
    [meta.orgId, userId],
  );
  return rows[0] ?? { otherActiveMembers: 0, otherActiveAdmins: 0 };
}

/** Throws `Rejected` for somebody who does not exist. */
export async function detailsOf(
  { tx, meta }: Unit,
  userId: string,
  lock: '' | 'for no key update' = '',
): Promise<MemberDetails> {
  const { rows } = await tx.query<MemberDetails>(
    `select name, time_zone, profile_photo_url
      from persons where org_id = $1 and user_id = $2 ${lock}`,
    [meta.orgId, userId],
  );
  const [details] = rows;
  if (!details) throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
  return details;
}
