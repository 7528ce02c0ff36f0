import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/social.events';
import { formerTeamName } from '@caravan/contracts/domain/unnamed';
import type { StreamKind } from '@caravan/event-store/core/event-store';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import { ballot } from './ballot.ts';
import type { BallotCommand, BallotEvent, BallotOfTeam } from './ballot.ts';
import { ballotsProjection } from './ballots.projection.ts';

/** How options are called, by their ids: it lies in a row, the log never holds it. */
export type OptionNames = ReadonlyMap<string, string>;

const ballotPublicEvents: PublicEvents<BallotEvent, OptionNames> = {
  BallotOpened: ({ data }): PublicEventOf<typeof facts.ballotOpened> => {
    const { ballotId, teamId, openedAt, endsAt } = data;
    return { type: 'BallotOpened', version: 1, data: { ballotId, teamId, openedAt, endsAt } };
  },
  NamesReplaced: 'private',
  BallotRescheduled: ({ data }): PublicEventOf<typeof facts.ballotRescheduled> => ({
    type: 'BallotRescheduled',
    version: 1,
    data,
  }),
  // For what is nobody's business.
  VoteCast: ({ data: { ballotId, teamId, userId, votedAt } }): PublicEventOf<typeof facts.voteCast> => ({
    type: 'VoteCast',
    version: 1,
    data: { ballotId, teamId, userId, votedAt },
  }),
  BallotDecided: ({ data: { ranking, ...data } }, names): PublicEventOf<typeof facts.ballotDecided> => ({
    type: 'BallotDecided',
    version: 1,
    data: { ...data, names: ranking.map((optionId) => names.get(optionId) ?? formerTeamName) },
  }),
};

export const ballotStream: StreamKind<BallotOfTeam, BallotCommand, BallotEvent, OptionNames> = {
  decider: ballot,
  projections: [ballotsProjection],
  publicEvents: ballotPublicEvents,
};
