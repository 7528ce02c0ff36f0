import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Recorded } from '@caravan/event-store/core/projection';
import type { JourneyEvent } from './journey.ts';
import type { Contributors } from './public-events.ts';
import type { TeamDay, Traveller } from './position.ts';

export type JourneyRecord = {
  readonly journeyId: string;
  readonly routeId: string;
  readonly startsOn: string;
  readonly startedAt: string;
  readonly travellers: readonly Traveller[];
  readonly reached: readonly { readonly checkpoint: number; readonly reachedAt: string }[];
};

// Sums of days are read as far as the journey is long, never the history before it.
const recordSql = `
  with current as (
    select journey_id, route_id, starts_on, started_at from journeys where org_id = $1
  ), sums as (
    select team_id, sum(centimiles) as centimiles from (
      select team_id, centimiles from team_days
      where org_id = $1 and credited_on >= (select starts_on from current)
      union all
      select team_id, centimiles from pending_team_credits_of($1)
      where credited_on >= (select starts_on from current)
    ) parts group by team_id
  ), furthest as (
    select team_id, max(checkpoint) as checkpoint from journey_arrivals
    where org_id = $1 and journey_id = (select journey_id from current) group by team_id
  )
  select journey_id, route_id, starts_on, started_at,
    (select coalesce(json_agg(json_build_object('teamId', team_id, 'name', name, 'emoji', emoji, 'centimiles', centimiles,
        'checkpoint', checkpoint) order by centimiles desc, formed_position), '[]') from (
      select t.team_id, t.name, t.emoji, t.formed_position, coalesce(s.centimiles, 0)::float8 as centimiles,
        coalesce(f.checkpoint, 0) as checkpoint
      from teams t
      left join sums s on s.team_id = t.team_id
      left join furthest f on f.team_id = t.team_id
      where t.org_id = $1 and (not t.is_retired or s.centimiles > 0 or f.checkpoint > 0)
    ) t) as travellers,
    (select coalesce(json_agg(json_build_object('checkpoint', a.checkpoint, 'reachedAt', a.reached_at)
      order by a.checkpoint), '[]')
      from journey_arrivals a join members m on m.org_id = a.org_id and m.team_id = a.team_id
      where a.org_id = $1 and a.journey_id = current.journey_id and m.user_id = $2) as reached
  from current`;

export async function journeyOf(
  tx: Tx,
  orgId: string,
  userId: string | null = null,
): Promise<JourneyRecord | undefined> {
  const { rows } = await tx.query<Omit<JourneyRecord, 'startedAt'> & { startedAt: Date }>(recordSql, [orgId, userId]);
  const [row] = rows;
  return row && { ...row, startedAt: row.startedAt.toISOString() };
}

export async function teamsAtStart(tx: Tx, orgId: string): Promise<Traveller[]> {
  const { rows } = await tx.query<Traveller>(
    `select team_id, name, emoji, 0 as centimiles, 0 as checkpoint from teams
     where org_id = $1 and not is_retired order by formed_position`,
    [orgId],
  );
  return rows;
}

export async function daysOf(tx: Tx, orgId: string, team: { teamId: string; startsOn: string }): Promise<TeamDay[]> {
  const { rows } = await tx.query<TeamDay>(
    `select "on", sum(centimiles)::bigint as centimiles from (
       select credited_on as "on", centimiles from team_days where org_id = $1 and team_id = $2 and credited_on >= $3
       union all
       select credited_on, centimiles from pending_team_credits_of($1) where team_id = $2 and credited_on >= $3
     ) parts group by 1`,
    [orgId, team.teamId, team.startsOn],
  );
  return rows;
}

/** More would not fit a message, nor its badges a batch. */
const mostContributors = 2_000;

/** Who did last comes first; the erased are nobody any more. */
export async function contributorsOf(
  tx: Tx,
  orgId: string,
  { teamIds, since }: { teamIds: readonly string[]; since: string },
): Promise<Contributors> {
  const { rows } = await tx.query<{ teamId: string; userIds: string[] }>(
    `with contributions as (
       select team_id, user_id, max(credited_on) as last_on from (
         select team_id, user_id, last_credited_on as credited_on from team_contributors
         where org_id = $1 and team_id = any($2::uuid[]) and last_credited_on >= $3
         union all
         select team_id, user_id, credited_on from pending_team_credits_of($1)
         where team_id = any($2::uuid[]) and credited_on >= $3 and centimiles > 0
       ) both_parts
       where not exists (select from members m where m.org_id = $1 and m.user_id = both_parts.user_id and m.is_erased)
       group by 1, 2
     ), ranked as (
       select team_id, user_id, row_number() over (partition by team_id order by last_on desc, user_id) as nth
       from contributions
     )
     select team_id, array_agg(user_id order by nth) as user_ids from ranked
     where nth <= ${mostContributors} group by team_id`,
    [orgId, teamIds, since],
  );
  return new Map(rows.map(({ teamId, userIds }) => [teamId, userIds]));
}

const reachedSql = `
  select array_agg(distinct m.user_id) as readers,
    (select json_agg(json_build_object('checkpoint', a.checkpoint, 'reachedAt', a.reached_at) order by a.checkpoint)
      from journey_arrivals a where a.org_id = $1 and a.team_id = m.team_id
        and a.journey_id = (select journey_id from journeys where org_id = $1)) as reached
  from members m where m.org_id = $1 and m.user_id = any($2::uuid[]) group by m.team_id`;

export type TeamReached = { readers: string[]; reached: { checkpoint: number; reachedAt: string }[] | null };

export async function reachedBy(pool: Pool, orgId: string, readers: readonly string[]): Promise<TeamReached[]> {
  return (await tenantQuery<TeamReached>(pool, orgId, reachedSql, [orgId, readers])).rows;
}

/** Who has contributed since the journey of each event began. */
export function contributorsOfEach(tx: Tx, events: readonly Recorded<JourneyEvent>[]): Promise<Contributors[]> {
  return Promise.all(
    events.map(async ({ orgId, streamId, type, data }) => {
      if (type !== 'CheckpointReached') return new Map();
      const { rows } = await tx.query<{ startsOn: string }>(
        `select data ->> 'startsOn' as starts_on from es.events
         where org_id = $1 and stream_id = $2 and type = 'JourneyStarted' and data ->> 'journeyId' = $3`,
        [orgId, streamId, data.journeyId],
      );
      return contributorsOf(tx, orgId, { teamIds: [data.teamId], since: rows[0]?.startsOn ?? '-infinity' });
    }),
  );
}
