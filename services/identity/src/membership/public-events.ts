import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { memberJoined, teamFormed } from '@caravan/contracts/identity.events';
import type { PublicEvents } from '@caravan/event-store/public-events';
import type { MembershipEvent } from './membership.ts';
import type { TeamEvent } from './team.ts';

/** How a team is called: it travels and lies in a row, the log never holds it. */
export type TeamNaming = { readonly name: string; readonly emoji: string };

/** What is personal about a member: it travels and lies in a row, the log never holds it. */
export type MemberDetails = { readonly name: string; readonly timeZone: string };

export const teamPublicEvents: PublicEvents<TeamEvent, TeamNaming> = {
  TeamFormed: ({ data }, { name, emoji }): PublicEventOf<typeof teamFormed> => ({
    type: 'TeamFormed',
    version: 1,
    data: { teamId: data.teamId, name, emoji, formedAt: data.formedAt },
  }),
};

export const membershipPublicEvents: PublicEvents<MembershipEvent, MemberDetails> = {
  MemberJoined: ({ data }, { name, timeZone }): PublicEventOf<typeof memberJoined> => ({
    type: 'MemberJoined',
    version: 1,
    data: {
      userId: data.userId,
      name,
      teamId: data.teamId,
      role: data.role,
      timeZone,
      joinedOn: data.joinedOn,
      joinedAt: data.joinedAt,
    },
  }),
  // What a role decides is decided here: nobody else needs to know.
  AdminAppointed: 'private',
};
