import type { Projection, Statement } from '@caravan/event-store/core/projection';
import { assignmentList, columnList, recordOf, columnDefinitions } from '@caravan/event-store/postgres/table';
import type { LoggedMovement, MovementEvent } from './movement-events.ts';

const key = { orgId: 'uuid', logId: 'uuid' } as const;

/** Columns that a correction updates. */
const corrigible = {
  activity: 'text',
  durationMinutes: 'integer',
  centimiles: 'integer',
  multiplier: 'numeric',
  startedAt: 'timestamptz',
  loggedOn: 'date',
  coveredCentimiles: 'integer null',
  audience: 'text',
  isCounted: 'boolean',
  sameAs: 'uuid null',
  override: 'boolean null',
  isScored: 'boolean',
  creditableAt: 'timestamptz null',
} as const;

const corrected = { ...key, ...corrigible };
const logged = {
  ...corrected,
  userId: 'uuid',
  teamId: 'uuid',
  source: 'text',
  loggedAt: 'timestamptz',
  timeZone: 'text',
} as const;

// What a set of logs changes in the sums of its members; `changed` names the members and the differences.
const sumsSql = `
  insert into member_miles as m (org_id, user_id, centimiles)
  select org_id, user_id, sum(centimiles) from changed group by 1, 2 order by 1, 2
  on conflict (org_id, user_id) do update set centimiles = m.centimiles + excluded.centimiles`;

const loggedSql = `
  with changed as (
    insert into movement_logs (${columnList(logged)})
    select * from json_to_recordset($1) as l (${columnDefinitions(logged)})
    returning org_id, user_id, centimiles
  ) ${sumsSql}`;

// Of several corrections of one log the last one stands.
const correctedSql = `
  with last as (
    select distinct on (org_id, log_id) * from rows from (json_to_recordset($1) as (${columnDefinitions(corrected)}))
      with ordinality as r (${columnList(corrected)}, nth)
    order by org_id, log_id, nth desc
  ), changed as (
    update movement_logs l set ${assignmentList(corrigible, 'c')}
    from last c where l.org_id = c.org_id and l.log_id = c.log_id
    returning l.org_id, l.user_id, new.centimiles - old.centimiles as centimiles
  ) ${sumsSql}`;

const removedSql = `
  with changed as (
    delete from movement_logs l using json_to_recordset($1) as r (${columnDefinitions(key)})
    where l.org_id = r.org_id and l.log_id = r.log_id returning l.org_id, l.user_id, -l.centimiles as centimiles
  ) ${sumsSql}`;

/** The facts that decide whether a log counts beside other recordings (D25). */
const countingOf = (log: LoggedMovement) => ({
  audience: log.import?.audience ?? 'organisation',
  isCounted: log.notCounted === undefined,
  sameAs: log.notCounted?.sameAs?.logId ?? null,
  override: log.override ?? null,
  isScored: log.import?.isScored ?? true,
  creditableAt: log.import?.creditableAt ?? null,
});

/** What a member re-reads at once: the log and the sum of all. */
export const movementProjection: Projection<MovementEvent> = {
  name: 'movement-logs',
  revision: 1,
  tables: ['movement_logs', 'member_miles'],
  on: {
    MovementLogged: ({ orgId, data }) => [
      { text: loggedSql, rows: [recordOf(logged, { ...data, ...countingOf(data), orgId })] },
    ],
    MovementCorrected: ({ orgId, data }) => [
      { text: correctedSql, rows: [recordOf(corrected, { ...data, ...countingOf(data), orgId })] },
    ],
    MovementRemoved: ({ orgId, data }) => [{ text: removedSql, rows: [recordOf(key, { orgId, logId: data.logId })] }],
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
