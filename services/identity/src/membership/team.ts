import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';
import { Invalid } from '@caravan/kernel/problem';

export type TeamEvent =
  | { type: 'TeamFormed'; data: { teamId: string; formedAt: string } }
  | { type: 'TeamRenamed'; data: { teamId: string } }
  | { type: 'TeamRetired'; data: { teamId: string } }
  | { type: 'TeamReopened'; data: { teamId: string } }
  | { type: 'TeamDissolved'; data: { teamId: string } }
  | {
      type: 'TeamNamedByBallot';
      /** `place` in the ballot's ranking; null when the team kept its name. */
      data: { teamId: string; ballotId: string; place: number | null };
    };

export type TeamCommand = FormTeam | ChangeTeam | DissolveTeam | NameByBallot;

export type FormTeam = { type: 'FormTeam'; teamId: string; isNameTaken: boolean };

/** What an admin wishes of a team, all of it or nothing. The command holds the organisation's lock. */
export type ChangeTeam = {
  type: 'ChangeTeam';
  teamId: string;
  isRenamed: boolean;
  isRetired: boolean | undefined;
  /** Whether another open team is called what this one is to be called. */
  isNameTaken: boolean;
  activeMembers: number;
  otherOpenTeams: number;
};

/** A decided ballot names a team, and needs no admin for it (D20). The command holds the organisation's lock. */
export type NameByBallot = {
  type: 'NameByBallot';
  teamId: string;
  ballotId: string;
  /** Of the first name in the ranking that no other open team has; null where there is none. */
  place: number | null;
  isRenamed: boolean;
};

export type DissolveTeam = { type: 'DissolveTeam'; teamId: string };

/** `namedBy`: the last ballot that named it. */
export type Team =
  | { is: 'absent' }
  | { is: 'open'; namedBy?: string | undefined }
  | { is: 'retired'; namedBy?: string | undefined }
  | { is: 'dissolved' };

/** Teams are formed, renamed, retired when nobody is left in them, and reopened. */
export const team: Decider<Team, TeamCommand, TeamEvent> = {
  category: 'team',
  initial: { is: 'absent' },

  decide(command, state, { at }) {
    const { teamId, type } = command;
    switch (type) {
      case 'FormTeam':
        if (state.is !== 'absent') return [];
        if (command.isNameTaken) throw nameTaken();
        return [{ type: 'TeamFormed', data: { teamId, formedAt: at.toISOString() } }];
      case 'ChangeTeam':
        return decideChange(command, state);
      case 'NameByBallot':
        return namedByBallot(command, state);
      case 'DissolveTeam':
        return state.is === 'open' || state.is === 'retired' ? [{ type: 'TeamDissolved', data: { teamId } }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TeamFormed':
      case 'TeamReopened':
        return { is: 'open' };
      case 'TeamRetired':
        return { is: 'retired' };
      case 'TeamDissolved':
        return { is: 'dissolved' };
      case 'TeamRenamed':
        return state;
      case 'TeamNamedByBallot':
        // Stryker disable next-line StringLiteral,ConditionalExpression: a team that is absent is so after any change.
        return state.is === 'absent' ? state : { ...state, namedBy: event.data.ballotId };
    }
  },
};

function decideChange(command: ChangeTeam, state: Team): TeamEvent[] {
  const { teamId, isRenamed, isNameTaken } = command;
  if (state.is === 'absent' || state.is === 'dissolved')
    throw new Rejected('team/not-found', 'not-found', 'This team does not exist');
  const wasRetired = state.is === 'retired';
  const isRetired = command.isRetired ?? wasRetired;
  if (isRetired && !wasRetired) assertEmptyAndNotLast(command);
  if (!isRetired && (isRenamed || wasRetired) && isNameTaken) throw nameTaken();
  const events: TeamEvent[] = [];
  if (isRenamed) events.push({ type: 'TeamRenamed', data: { teamId } });
  if (isRetired && !wasRetired) events.push({ type: 'TeamRetired', data: { teamId } });
  if (!isRetired && wasRetired) events.push({ type: 'TeamReopened', data: { teamId } });
  return events;
}

function namedByBallot({ teamId, ballotId, place, isRenamed }: NameByBallot, state: Team): TeamEvent[] {
  if (state.is === 'absent' || state.is === 'dissolved' || state.namedBy === ballotId) return [];
  const named: TeamEvent = { type: 'TeamNamedByBallot', data: { teamId, ballotId, place } };
  return place !== null && isRenamed ? [{ type: 'TeamRenamed', data: { teamId } }, named] : [named];
}

function assertEmptyAndNotLast({ activeMembers, otherOpenTeams }: ChangeTeam): void {
  const members = activeMembers === 1 ? '1 member' : `${activeMembers} members`;
  if (activeMembers > 0) throw refusal('retired', 'has-members', `Move its ${members} to another team first`);
  if (otherOpenTeams === 0) throw refusal('retired', 'last-one', 'The last team cannot be retired');
}

function nameTaken(): Invalid {
  return refusal('name', 'name-taken', 'There is already a team of this name');
}

function refusal(path: string, reason: string, message: string): Invalid {
  return new Invalid([{ path, message }], `team/${reason}`);
}

/** The teams of a new organisation, in order of age (D2). */
export const firstTeams: readonly { name: string; emoji: string }[] = [
  { name: 'Thunder', emoji: '⚡' },
  { name: 'Blazers', emoji: '🔥' },
];

export type TeamStrength = { readonly teamId: string; readonly activeMembers: number; readonly formedAt: Date };

/** The team with the fewest active members; among equals the older one (D2). */
export function smallestOf(teams: readonly TeamStrength[]): TeamStrength | undefined {
  return teams.toSorted(
    (one, other) =>
      one.activeMembers - other.activeMembers ||
      one.formedAt.getTime() - other.formedAt.getTime() ||
      // Stryker disable next-line EqualityOperator: no two teams have one id.
      (one.teamId < other.teamId ? -1 : 1),
  )[0];
}
