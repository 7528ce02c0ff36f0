import type { Projection, Statement } from '@caravan/event-store/projection';
import type { MovementEvent } from './movement.ts';

/** What a member re-reads at once: the log and the sum of all. */
export const movementProjection: Projection<MovementEvent> = {
  name: 'movement-logs',
  revision: 1,
  tables: ['movement_logs', 'member_miles'],
  on: {
    MovementLogged: ({ orgId, data }) => [
      {
        text: `with logged as (
            insert into movement_logs (org_id, log_id, user_id, team_id, activity, duration_minutes, centimiles,
              multiplier, source, started_at, logged_at, logged_on, time_zone, covered_centimiles)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            returning org_id, user_id, centimiles)
          insert into member_miles (org_id, user_id, centimiles)
          select org_id, user_id, centimiles from logged
          on conflict (org_id, user_id) do update set centimiles = member_miles.centimiles + excluded.centimiles`,
        values: [
          orgId,
          data.logId,
          data.userId,
          data.teamId,
          data.activity,
          data.durationMinutes,
          data.centimiles,
          data.multiplier,
          data.source,
          data.startedAt,
          data.loggedAt,
          data.loggedOn,
          data.timeZone,
          data.coveredCentimiles,
        ],
      },
    ],
    MovementCorrected: ({ orgId, data }) => [
      {
        text: `with before as (
            select centimiles from movement_logs where org_id = $1 and log_id = $2
          ), corrected as (
            update movement_logs set activity = $4, duration_minutes = $5, centimiles = $6, multiplier = $7,
              started_at = $8, logged_on = $9, covered_centimiles = $10
            where org_id = $1 and log_id = $2)
          update member_miles m set centimiles = m.centimiles + $6 - b.centimiles from before b
          where m.org_id = $1 and m.user_id = $3`,
        values: [
          ...[orgId, data.logId, data.userId, data.activity, data.durationMinutes, data.centimiles, data.multiplier],
          ...[data.startedAt, data.loggedOn, data.coveredCentimiles],
        ],
      },
    ],
    MovementRemoved: ({ orgId, data }) => [
      {
        text: `with removed as (
            delete from movement_logs where org_id = $1 and log_id = $2 returning centimiles)
          update member_miles m set centimiles = m.centimiles - r.centimiles from removed r
          where m.org_id = $1 and m.user_id = $3`,
        values: [orgId, data.logId, data.userId],
      },
    ],
  },
  inBulk: {
    MovementLogged: [
      `insert into movement_logs (org_id, log_id, user_id, team_id, activity, duration_minutes, centimiles, multiplier,
         source, started_at, logged_at, logged_on, time_zone, covered_centimiles)
       select org_id, (data->>'logId')::uuid, (data->>'userId')::uuid, (data->>'teamId')::uuid, data->>'activity',
         (data->>'durationMinutes')::int, (data->>'centimiles')::int, (data->>'multiplier')::numeric, data->>'source',
         (data->>'startedAt')::timestamptz, (data->>'loggedAt')::timestamptz, (data->>'loggedOn')::date,
         data->>'timeZone', (data->>'coveredCentimiles')::int
       from stretch`,
      `insert into member_miles (org_id, user_id, centimiles)
       select org_id, (data->>'userId')::uuid, sum((data->>'centimiles')::int) from stretch group by 1, 2 order by 1, 2
       on conflict (org_id, user_id) do update set centimiles = member_miles.centimiles + excluded.centimiles`,
    ],
  },
};

/** Which log of a member completes a bonus challenge. */
export const bonusUsesProjection: Projection<MovementEvent> = {
  name: 'bonus-uses',
  revision: 1,
  tables: ['bonus_uses'],
  on: {
    MovementLogged: ({ orgId, data: { bonus, userId, logId } }) =>
      bonus
        ? [
            {
              text: `insert into bonus_uses (org_id, challenge_id, user_id, log_id) values ($1, $2, $3, $4)
                on conflict (org_id, challenge_id, user_id) do nothing`,
              values: [orgId, bonus.challengeId, userId, logId],
            },
          ]
        : [],
    // A log that is corrected to something else, or removed, gives the completion back.
    MovementCorrected: ({ orgId, data: { bonus, logId } }) => (bonus ? [] : [givenBack(orgId, logId)]),
    MovementRemoved: ({ orgId, data: { logId } }) => [givenBack(orgId, logId)],
  },
  inBulk: {
    MovementLogged: [
      `insert into bonus_uses (org_id, challenge_id, user_id, log_id)
       select org_id, (data->'bonus'->>'challengeId')::uuid, (data->>'userId')::uuid, (data->>'logId')::uuid
       from stretch where data ? 'bonus' order by pos
       on conflict (org_id, challenge_id, user_id) do nothing`,
    ],
  },
};

const givenBack = (orgId: string, logId: string): Statement => ({
  text: 'delete from bonus_uses where org_id = $1 and log_id = $2',
  values: [orgId, logId],
});
