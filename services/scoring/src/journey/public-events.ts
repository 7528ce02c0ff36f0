import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { checkpointReached } from '@caravan/contracts/scoring.events';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { PublicEvents } from '@caravan/event-store/public-events';
import { journey, type JourneyCommand, type Journeying, type JourneyEvent } from './journey.ts';
import { journeyProjection } from './journey.projection.ts';
import { routeOfId } from './routes.ts';

/** Who has earned miles for a team since the start, by team. */
export type Contributors = ReadonlyMap<string, readonly string[]>;

export const journeyPublicEvents: PublicEvents<JourneyEvent, Contributors> = {
  JourneyStarted: 'private',
  CheckpointReached: ({ data }, contributors): PublicEventOf<typeof checkpointReached> => {
    const { journeyId, routeId, teamId, reachedAt } = data;
    const route = routeOfId(routeId);
    const stop = route?.checkpoints[data.checkpoint];
    return {
      type: 'CheckpointReached',
      version: 1,
      data: {
        ...{ journeyId, routeId, teamId, reachedAt },
        routeName: route?.name ?? routeId,
        checkpointName: stop?.name ?? '',
        mileMark: stop?.mileMark ?? 0,
        isLast: data.checkpoint + 1 === route?.checkpoints.length,
        contributors: [...(contributors.get(teamId) ?? [])],
      },
    };
  },
};

/** The journeys of one organisation, with everything that is read from them. */
export const journeyStream: StreamKind<Journeying, JourneyCommand, JourneyEvent, Contributors> = {
  decider: journey,
  projections: [journeyProjection],
  publicEvents: journeyPublicEvents,
};
