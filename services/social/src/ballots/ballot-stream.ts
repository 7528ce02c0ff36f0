import type { StreamKind } from '@caravan/event-store/core/event-store';
import { ballot } from './ballot.ts';
import type { BallotCommand, BallotEvent, BallotOfTeam } from './ballot.ts';
import { ballotsProjection } from './ballots.projection.ts';
import { ballotPublicEvents, type OptionNames } from './public-events.ts';

export const ballotStream: StreamKind<BallotOfTeam, BallotCommand, BallotEvent, OptionNames> = {
  decider: ballot,
  projections: [ballotsProjection],
  publicEvents: ballotPublicEvents,
};
