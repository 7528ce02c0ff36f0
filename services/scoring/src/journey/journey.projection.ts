import type { Projection } from '@caravan/event-store/projection';
import type { JourneyEvent } from './journey.ts';

/** The journey an organisation is on, and which team has come where. */
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
