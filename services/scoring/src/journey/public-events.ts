import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { checkpointReached } from '@caravan/contracts/scoring.events';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { Projection } from '@caravan/event-store/projection';
import type { PublicEvents } from '@caravan/event-store/public-events';
import { journey } from './journey.ts';
import type { JourneyEvent, JourneyCommand, Journeying } from './journey.ts';
import { routeOfId } from './position.ts';

export const journeyProjection: Projection<JourneyEvent> = {
  name: 'journey',
  revision: 1,
  tables: ['journeys', 'journey_arrivals'],
  on: {
    JourneyStarted: ({ orgId, data }) => [
      {
        text: `insert into journeys (org_id, journey_id, route_id, starts_on, started_at) values ($1, $2, $3, $4, $5)
          on conflict (org_id) do update set journey_id = excluded.journey_id, route_id = excluded.route_id,
            starts_on = excluded.starts_on, started_at = excluded.started_at`,
        values: [orgId, data.journeyId, data.routeId, data.startsOn, data.startedAt],
      },
    ],
    CheckpointReached: ({ orgId, data }) => [
      {
        text: `insert into journey_arrivals (org_id, journey_id, team_id, checkpoint, reached_at)
          values ($1, $2, $3, $4, $5) on conflict do nothing`,
        values: [orgId, data.journeyId, data.teamId, data.checkpoint, data.reachedAt],
      },
    ],
  },
};

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

export const journeyStream: StreamKind<Journeying, JourneyCommand, JourneyEvent, Contributors> = {
  decider: journey,
  projections: [journeyProjection],
  publicEvents: journeyPublicEvents,
};
