import type { Decider } from '@caravan/event-store/decider';

export type TeamEvent = { type: 'TeamFormed'; data: { teamId: string; formedAt: string } };

export type FormTeam = { type: 'FormTeam'; teamId: string };

export type Team = { is: 'absent' } | { is: 'formed' };

/** A team is formed once. Its name and emoji are rows. */
export const team: Decider<Team, FormTeam, TeamEvent> = {
  category: 'team',
  initial: { is: 'absent' },

  decide({ teamId }, state, { at }) {
    return state.is === 'formed' ? [] : [{ type: 'TeamFormed', data: { teamId, formedAt: at.toISOString() } }];
  },

  evolve() {
    return { is: 'formed' };
  },
};

/** The teams of a new organisation, in order of age (D2). */
export const firstTeams: readonly { name: string; emoji: string }[] = [
  { name: 'Thunder', emoji: '⚡' },
  { name: 'Blazers', emoji: '🔥' },
];
