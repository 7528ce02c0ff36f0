import type { Role } from '@caravan/contracts/events/fields';
import type { Privacy } from '@caravan/contracts/http/people';
import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import { Invalid } from '@caravan/kernel/problem';
import { smallestOf, type TeamStrength } from './team.ts';

export type MembershipEvent =
  | {
      type: 'MemberJoined';
      data: { userId: string; teamId: string; role: Role; joinedOn: string; joinedAt: string };
    }
  | { type: 'MemberMoved'; data: { userId: string; fromTeamId: string; teamId: string; movedAt: string } }
  | { type: 'MemberDeactivated'; data: { userId: string; teamId: string; deactivatedAt: string } }
  | { type: 'MemberReactivated'; data: { userId: string; teamId: string; reactivatedAt: string } }
  | { type: 'AdminAppointed'; data: { userId: string } }
  | { type: 'AdminDismissed'; data: { userId: string } }
  | { type: 'ProfileEdited'; data: { userId: string } }
  | { type: 'PrivacyChosen'; data: { userId: string } & Privacy }
  | { type: 'MemberErased'; data: { userId: string; teamId: string; wasActive: boolean; erasedAt: string } };

export type MembershipCommand =
  JoinOrganisation | AppointAdmin | ManageMember | EditProfile | ChoosePrivacy | EraseMember;

export type JoinOrganisation = {
  type: 'JoinOrganisation';
  userId: string;
  role: Role;
  joinedOn: string;
  /** As they are now: the command holds the organisation's lock. */
  teams: readonly TeamStrength[];
  teamId: string | null;
};

/** By whoever runs the instance; somebody deactivated comes back by it. */
export type AppointAdmin = { type: 'AppointAdmin'; userId: string; openTeams: readonly TeamStrength[] };

/** What an admin wishes of a member, all of it or nothing. The command holds the organisation's lock. */
export type ManageMember = {
  type: 'ManageMember';
  userId: string;
  role: Role | undefined;
  teamId: string | undefined;
  isActive: boolean | undefined;
  openTeams: readonly TeamStrength[];
  otherActiveAdmins: number;
};

/** What others see of the person has changed; the words themselves are rows. */
export type EditProfile = { type: 'EditProfile'; userId: string };

export type ChoosePrivacy = {
  type: 'ChoosePrivacy';
  userId: string;
  privacy: { [Key in keyof Privacy]?: boolean | undefined };
};

export type EraseMember = {
  type: 'EraseMember';
  userId: string;
  otherActiveMembers: number;
  otherActiveAdmins: number;
};

export type Member = { is: 'member'; teamId: string; role: Role; isActive: boolean; privacy: Privacy };
export type Membership = { is: 'absent' } | Member | { is: 'erased' };

/** What everybody begins with (D18, D28). */
export const firstPrivacy: Privacy = {
  profileVisible: true,
  activityVisible: true,
  statsVisible: true,
  shareHeartRate: false,
  shareCalories: false,
  featuredInRecaps: false,
};

export const membership: Decider<Membership, MembershipCommand, MembershipEvent> = {
  category: 'membership',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    if (command.type === 'JoinOrganisation' && state.is === 'absent') return [decideJoin(command, at)];
    if (command.type === 'EraseMember' && state.is === 'erased') return [];
    if (state.is !== 'member') throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
    const { userId } = command;
    switch (command.type) {
      case 'JoinOrganisation':
        return [];
      case 'AppointAdmin':
        return decideManagement({ ...command, ...appointed }, state, at);
      case 'ManageMember':
        return decideManagement(command, state, at);
      case 'EditProfile':
        return [{ type: 'ProfileEdited', data: { userId } }];
      case 'ChoosePrivacy':
        return decidePrivacy(command, state.privacy);
      case 'EraseMember':
        return [decideErasure(command, state, at)];
    }
  },

  evolve(state, event) {
    if (event.type === 'MemberErased') return { is: 'erased' };
    if (event.type === 'MemberJoined') {
      const { teamId, role } = event.data;
      return { is: 'member', teamId, role, isActive: true, privacy: firstPrivacy };
    }
    // Stryker disable next-line ConditionalExpression: what is no member is none after any change.
    return state.is === 'member' ? memberAfter(state, event) : state;
  },
};

function memberAfter(
  member: Member,
  event: Exclude<MembershipEvent, { type: 'MemberJoined' | 'MemberErased' }>,
): Membership {
  switch (event.type) {
    case 'MemberMoved':
      return { ...member, teamId: event.data.teamId };
    case 'MemberDeactivated':
      return { ...member, isActive: false };
    case 'MemberReactivated':
      return { ...member, isActive: true };
    case 'AdminAppointed':
      return { ...member, role: 'admin' };
    case 'AdminDismissed':
      return { ...member, role: 'member' };
    case 'ProfileEdited':
      return member;
    case 'PrivacyChosen': {
      const { userId: _, ...privacy } = event.data;
      return { ...member, privacy };
    }
  }
}

function decideJoin({ userId, role, joinedOn, teams, teamId }: JoinOrganisation, at: Date): MembershipEvent {
  const team = teams.find((candidate) => candidate.teamId === teamId) ?? smallestOf(teams);
  if (!team) throw new Rejected('membership/no-team', 'conflict', 'This organisation has no team to join');
  return { type: 'MemberJoined', data: { userId, teamId: team.teamId, role, joinedOn, joinedAt: at.toISOString() } };
}

const appointed = {
  type: 'ManageMember',
  role: 'admin',
  isActive: true,
  // Stryker disable next-line ObjectLiteral: an admin who is appointed is refused nothing.
  teamId: undefined,
  otherActiveAdmins: 0,
} as const;

/** Throws `Invalid` for the last active admin, and for a team that takes nobody. */
function decideManagement(command: ManageMember, member: Member, at: Date): MembershipEvent[] {
  const { userId } = command;
  const role = command.role ?? member.role;
  const isActive = command.isActive ?? member.isActive;
  assertAnAdminStays(command, member, { role, isActive });
  const teamId = teamAfter(command, member, isActive && !member.isActive);
  const events: MembershipEvent[] = [];
  if (teamId !== member.teamId)
    events.push({
      type: 'MemberMoved',
      data: { userId, fromTeamId: member.teamId, teamId, movedAt: at.toISOString() },
    });
  if (role !== member.role)
    events.push({ type: role === 'admin' ? 'AdminAppointed' : 'AdminDismissed', data: { userId } });
  if (isActive && !member.isActive)
    events.push({ type: 'MemberReactivated', data: { userId, teamId, reactivatedAt: at.toISOString() } });
  if (!isActive && member.isActive)
    events.push({ type: 'MemberDeactivated', data: { userId, teamId, deactivatedAt: at.toISOString() } });
  return events;
}

function assertAnAdminStays(
  { otherActiveAdmins }: ManageMember,
  before: Member,
  after: { role: Role; isActive: boolean },
): void {
  const isLast = before.role === 'admin' && before.isActive && otherActiveAdmins === 0;
  if (isLast && after.role !== 'admin') throw refusal('role', 'last-admin', 'The last admin keeps this role');
  if (isLast && !after.isActive) throw refusal('isActive', 'last-admin', 'The last admin cannot be deactivated');
}

/** Who comes back to a team that was retired meanwhile comes back to the smallest. */
function teamAfter({ teamId, openTeams }: ManageMember, before: Member, isReturning: boolean): string {
  const isOpen = (id: string) => openTeams.some((team) => team.teamId === id);
  const wished = teamId ?? before.teamId;
  if (isOpen(wished) || (wished === before.teamId && !isReturning)) return wished;
  if (teamId !== undefined)
    throw new Invalid([{ path: 'teamId', message: 'This team is retired and takes nobody' }], 'team/retired');
  return smallestOf(openTeams)?.teamId ?? before.teamId;
}

function refusal(path: string, reason: string, message: string): Invalid {
  return new Invalid([{ path, message }], `membership/${reason}`);
}

function decidePrivacy({ userId, privacy }: ChoosePrivacy, before: Privacy): MembershipEvent[] {
  const after: Privacy = {
    profileVisible: privacy.profileVisible ?? before.profileVisible,
    activityVisible: privacy.activityVisible ?? before.activityVisible,
    statsVisible: privacy.statsVisible ?? before.statsVisible,
    shareHeartRate: privacy.shareHeartRate ?? before.shareHeartRate,
    shareCalories: privacy.shareCalories ?? before.shareCalories,
    featuredInRecaps: privacy.featuredInRecaps ?? before.featuredInRecaps,
  };
  const keys = Object.keys(after) as (keyof Privacy)[];
  return keys.every((key) => after[key] === before[key]) ? [] : [{ type: 'PrivacyChosen', data: { userId, ...after } }];
}

/** Whoever leaves others behind leaves them somebody who can run the organisation. */
function decideErasure(
  { userId, otherActiveAdmins, otherActiveMembers }: EraseMember,
  { role, isActive, teamId }: Member,
  at: Date,
): MembershipEvent {
  if (role === 'admin' && isActive && otherActiveAdmins === 0 && otherActiveMembers > 0)
    throw new Rejected('membership/last-admin', 'invalid', 'Appoint another admin first.');
  return { type: 'MemberErased', data: { userId, teamId, wasActive: isActive, erasedAt: at.toISOString() } };
}
