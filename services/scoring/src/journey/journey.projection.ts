import type { Projection } from '@caravan/event-store/core/projection';
import type { JourneyEvent } from './journey.ts';

export const journeyProjection: Projection<JourneyEvent> = {
  name: 'journey',
  revision: 1,
  tables: ['journeys', 'journey_arrivals'],
  on: {
    JourneyStarted: ({ orgId, data }) => [
      {
        text: startedSql,
        rows: [
          {
            org_id: orgId,
            journey_id: data.journeyId,
            route_id: data.routeId,
            starts_on: data.startsOn,
            started_at: data.startedAt,
          },
        ],
      },
    ],
    CheckpointReached: ({ orgId, data }) => [
      {
        text: reachedSql,
        rows: [
          {
            org_id: orgId,
            journey_id: data.journeyId,
            team_id: data.teamId,
            checkpoint: data.checkpoint,
            reached_at: data.reachedAt,
          },
        ],
      },
    ],
  },
};

// The last one of an organisation stands.
const startedSql = `
  insert into journeys (org_id, journey_id, route_id, starts_on, started_at)
  select distinct on (org_id) org_id, journey_id, route_id, starts_on, started_at
  from rows from (json_to_recordset($1) as (org_id uuid, journey_id uuid, route_id text, starts_on date,
    started_at timestamptz)) with ordinality as j (org_id, journey_id, route_id, starts_on, started_at, nth)
  order by org_id, nth desc
  on conflict (org_id) do update set journey_id = excluded.journey_id, route_id = excluded.route_id,
    starts_on = excluded.starts_on, started_at = excluded.started_at`;

const reachedSql = `
  insert into journey_arrivals (org_id, journey_id, team_id, checkpoint, reached_at)
  select * from json_to_recordset($1) as a (org_id uuid, journey_id uuid, team_id uuid, checkpoint integer,
    reached_at timestamptz)
  on conflict do nothing`;
