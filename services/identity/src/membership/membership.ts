import type { Role } from '@caravan/contracts/fields';
import type { Decider } from '@caravan/event-store/decider';
import { Rejected } from '@caravan/event-store/rejected';

export type MembershipEvent =
  | {
      type: 'MemberJoined';
      data: {
        userId: string;
        teamId: string;
        role: Role;
        joinedOn: string;
        joinedAt: string;
      };
    }
  | { type: 'AdminAppointed'; data: { userId: string } };

export type MembershipCommand = JoinOrganisation | AppointAdmin;

export type JoinOrganisation = {
  type: 'JoinOrganisation';
  userId: string;
  role: Role;
  joinedOn: string;
  /** The organisation's teams as they are now; the command holds the organisation's lock, so nobody joins meanwhile. */
  teams: readonly TeamStrength[];
  teamId: string | null;
};

export type AppointAdmin = { type: 'AppointAdmin'; userId: string };

export type TeamStrength = { readonly teamId: string; readonly activeMembers: number; readonly formedAt: Date };

export type Membership = { is: 'absent' } | { is: 'member'; teamId: string; role: Role };

export const membership: Decider<Membership, MembershipCommand, MembershipEvent> = {
  category: 'membership',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    switch (command.type) {
      case 'JoinOrganisation':
        return state.is === 'member' ? [] : [joined(command, at)];
      case 'AppointAdmin':
        if (state.is === 'absent')
          throw new Rejected('membership/not-found', 'not-found', 'This member does not exist');
        return state.role === 'admin' ? [] : [{ type: 'AdminAppointed', data: { userId: command.userId } }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'MemberJoined':
        return { is: 'member', teamId: event.data.teamId, role: event.data.role };
      case 'AdminAppointed':
        return state.is === 'member' ? { ...state, role: 'admin' } : state;
    }
  },
};

function joined({ userId, role, joinedOn, teams, teamId }: JoinOrganisation, at: Date): MembershipEvent {
  const team = teams.find((candidate) => candidate.teamId === teamId) ?? smallestOf(teams);
  if (!team) throw new Rejected('membership/no-team', 'conflict', 'This organisation has no team to join');
  return { type: 'MemberJoined', data: { userId, teamId: team.teamId, role, joinedOn, joinedAt: at.toISOString() } };
}

/** The team with the fewest active members; among equals the older one (D2). */
export function smallestOf(teams: readonly TeamStrength[]): TeamStrength | undefined {
  return teams.toSorted(
    (one, other) =>
      one.activeMembers - other.activeMembers ||
      one.formedAt.getTime() - other.formedAt.getTime() ||
      (one.teamId < other.teamId ? -1 : 1),
  )[0];
}
