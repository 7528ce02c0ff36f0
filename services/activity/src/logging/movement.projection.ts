import type { Projection, Statement } from '@caravan/event-store/core/projection';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';

// What a set of logs changes in the sums of its members; `changed` names the members and the differences.
const sumsSql = `
  insert into member_miles as m (org_id, user_id, centimiles)
  select org_id, user_id, sum(centimiles) from changed group by 1, 2 order by 1, 2
  on conflict (org_id, user_id) do update set centimiles = m.centimiles + excluded.centimiles`;

const loggedSql = `
  with changed as (
    insert into movement_logs (org_id, log_id, user_id, team_id, activity, duration_minutes, centimiles, multiplier, source,
      started_at, logged_at, logged_on, time_zone, covered_centimiles, audience, is_counted, same_as, override, is_scored,
      creditable_at)
    select * from json_to_recordset($1) as l (org_id uuid, log_id uuid, user_id uuid, team_id uuid, activity text,
      duration_minutes integer, centimiles integer, multiplier numeric, source text, started_at timestamptz,
      logged_at timestamptz, logged_on date, time_zone text, covered_centimiles integer,
      audience text, is_counted boolean, same_as uuid, override boolean, is_scored boolean, creditable_at timestamptz)
    returning org_id, user_id, centimiles
  ) ${sumsSql}`;

// Of several corrections of one log the last one stands.
const correctedSql = `
  with last as (
    select distinct on (org_id, log_id) * from rows from (json_to_recordset($1) as (org_id uuid, log_id uuid, activity text,
      duration_minutes integer, centimiles integer, multiplier numeric, started_at timestamptz, logged_on date,
      covered_centimiles integer, audience text, is_counted boolean, same_as uuid, override boolean, is_scored boolean,
      creditable_at timestamptz)) with ordinality as r (org_id, log_id, activity, duration_minutes,
      centimiles, multiplier, started_at, logged_on, covered_centimiles, audience, is_counted, same_as, override,
      is_scored, creditable_at, nth)
    order by org_id, log_id, nth desc
  ), changed as (
    update movement_logs l set activity = c.activity, duration_minutes = c.duration_minutes, centimiles = c.centimiles,
      multiplier = c.multiplier, started_at = c.started_at, logged_on = c.logged_on,
      covered_centimiles = c.covered_centimiles, audience = c.audience, is_counted = c.is_counted, same_as = c.same_as,
      override = c.override, is_scored = c.is_scored, creditable_at = c.creditable_at
    from last c where l.org_id = c.org_id and l.log_id = c.log_id
    returning l.org_id, l.user_id, new.centimiles - old.centimiles as centimiles
  ) ${sumsSql}`;

const removedSql = `
  with changed as (
    delete from movement_logs l using json_to_recordset($1) as r (org_id uuid, log_id uuid)
    where l.org_id = r.org_id and l.log_id = r.log_id returning l.org_id, l.user_id, -l.centimiles as centimiles
  ) ${sumsSql}`;

/** The facts that decide whether a log counts beside other recordings (D25). */
const countingOf = (log: LoggedMovement) => ({
  audience: log.import?.audience ?? 'organisation',
  is_counted: log.notCounted === undefined,
  same_as: log.notCounted?.sameAs?.logId ?? null,
  override: log.override ?? null,
  is_scored: log.import?.isScored ?? true,
  creditable_at: log.import?.creditableAt ?? null,
});

/** What a member re-reads at once: the log and the sum of all. */
export const movementProjection: Projection<MovementEvent> = {
  name: 'movement-logs',
  revision: 1,
  tables: ['movement_logs', 'member_miles'],
  on: {
    MovementLogged: ({ orgId, data }) => [
      {
        text: loggedSql,
        rows: [
          {
            org_id: orgId,
            log_id: data.logId,
            user_id: data.userId,
            team_id: data.teamId,
            activity: data.activity,
            duration_minutes: data.durationMinutes,
            centimiles: data.centimiles,
            multiplier: data.multiplier,
            source: data.source,
            started_at: data.startedAt,
            logged_at: data.loggedAt,
            logged_on: data.loggedOn,
            time_zone: data.timeZone,
            covered_centimiles: data.coveredCentimiles,
            ...countingOf(data),
          },
        ],
      },
    ],
    MovementCorrected: ({ orgId, data }) => [
      {
        text: correctedSql,
        rows: [
          {
            org_id: orgId,
            log_id: data.logId,
            activity: data.activity,
            duration_minutes: data.durationMinutes,
            centimiles: data.centimiles,
            multiplier: data.multiplier,
            started_at: data.startedAt,
            logged_on: data.loggedOn,
            covered_centimiles: data.coveredCentimiles,
            ...countingOf(data),
          },
        ],
      },
    ],
    MovementRemoved: ({ orgId, data }) => [{ text: removedSql, rows: [{ org_id: orgId, log_id: data.logId }] }],
    MovementForestalled: 'ignored',
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
              text: usedSql,
              rows: [{ org_id: orgId, challenge_id: bonus.challengeId, user_id: userId, log_id: logId }],
            },
          ]
        : [],
    // A log that is corrected to something else, or removed, gives the completion back.
    MovementCorrected: ({ orgId, data: { bonus, logId } }) => (bonus ? [] : [givenBack(orgId, logId)]),
    MovementRemoved: ({ orgId, data: { logId } }) => [givenBack(orgId, logId)],
    MovementForestalled: 'ignored',
  },
};

const usedSql = `
  insert into bonus_uses (org_id, challenge_id, user_id, log_id)
  select * from json_to_recordset($1) as u (org_id uuid, challenge_id uuid, user_id uuid, log_id uuid)
  on conflict (org_id, challenge_id, user_id) do nothing`;

const givenBackSql = `
  delete from bonus_uses u using json_to_recordset($1) as r (org_id uuid, log_id uuid)
  where u.org_id = r.org_id and u.log_id = r.log_id`;

const givenBack = (orgId: string, logId: string): Statement => ({
  text: givenBackSql,
  rows: [{ org_id: orgId, log_id: logId }],
});
