import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/identity.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import type { MembershipEvent } from './membership.ts';
import type { TeamEvent } from './team.ts';

/** How a team is called: it travels and lies in a row, the log never holds it. */
export type TeamNaming = { readonly name: string; readonly emoji: string };

/** What is personal about a member: it travels and lies in a row, the log never holds it. */
export type MemberDetails = {
  readonly name: string;
  readonly timeZone: string;
  readonly profilePhotoUrl: string | null;
};

export const teamPublicEvents: PublicEvents<TeamEvent, TeamNaming> = {
  TeamFormed: ({ data }, { name, emoji }): PublicEventOf<typeof facts.teamFormed> => ({
    type: 'TeamFormed',
    version: 1,
    data: { teamId: data.teamId, name, emoji, formedAt: data.formedAt },
  }),
  TeamRenamed: ({ data }, { name, emoji }): PublicEventOf<typeof facts.teamRenamed> => ({
    type: 'TeamRenamed',
    version: 1,
    data: { teamId: data.teamId, name, emoji },
  }),
  TeamRetired: ({ data }): PublicEventOf<typeof facts.teamRetired> => ({ type: 'TeamRetired', version: 1, data }),
  TeamReopened: ({ data }): PublicEventOf<typeof facts.teamReopened> => ({ type: 'TeamReopened', version: 1, data }),
  TeamNamedByBallot: ({ data }, { name }): PublicEventOf<typeof facts.teamNamedByBallot> => ({
    type: 'TeamNamedByBallot',
    version: 1,
    data: { teamId: data.teamId, ballotId: data.ballotId, place: data.place, name },
  }),
  // That its organisation closed says it.
  TeamDissolved: 'private',
};

export const membershipPublicEvents: PublicEvents<MembershipEvent, MemberDetails> = {
  MemberJoined: ({ data }, { name, timeZone }): PublicEventOf<typeof facts.memberJoined> => ({
    type: 'MemberJoined',
    version: 1,
    data: { ...data, name, timeZone },
  }),
  MemberMoved: ({ data }): PublicEventOf<typeof facts.memberMoved> => ({ type: 'MemberMoved', version: 1, data }),
  MemberDeactivated: ({ data }): PublicEventOf<typeof facts.memberDeactivated> => ({
    type: 'MemberDeactivated',
    version: 1,
    data,
  }),
  MemberReactivated: ({ data }): PublicEventOf<typeof facts.memberReactivated> => ({
    type: 'MemberReactivated',
    version: 1,
    data,
  }),
  AdminAppointed: ({ data }): PublicEventOf<typeof facts.adminAppointed> => ({
    type: 'AdminAppointed',
    version: 1,
    data,
  }),
  AdminDismissed: ({ data }): PublicEventOf<typeof facts.adminDismissed> => ({
    type: 'AdminDismissed',
    version: 1,
    data,
  }),
  ProfileEdited: ({ data }, { name, timeZone, profilePhotoUrl }): PublicEventOf<typeof facts.profileEdited> => ({
    type: 'ProfileEdited',
    version: 1,
    data: { userId: data.userId, name, timeZone, profilePhotoUrl },
  }),
  PrivacyChosen: ({ data }): PublicEventOf<typeof facts.privacyChosen> => ({ type: 'PrivacyChosen', version: 1, data }),
  MemberErased: ({ data }): PublicEventOf<typeof facts.memberErased> => ({ type: 'MemberErased', version: 1, data }),
};
