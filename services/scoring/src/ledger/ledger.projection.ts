import type { Projection } from '@caravan/event-store/projection';
import type { LedgerEvent } from '../ledger-events.ts';
import { creditsInBulk } from '../ledger-in-bulk.ts';

// One statement for all of them, and for all members whose logs came together: each would cost a message to the server of
// its own, for every log of every member. Sums are grouped, since a row can be changed only once by a statement.
const creditSql = `
  with credit as materialized (
    select * from json_to_recordset($1) as c (org_id uuid, entry_id uuid, kind text, log_id uuid, user_id uuid,
      team_id uuid, centimiles integer, credited_on date, week_starts_on date, credited_at timestamptz,
      reached_at timestamptz, week_reached_at timestamptz, movements smallint, minutes integer, activity text,
      duration_minutes integer, previous_minutes integer, multiplier numeric, previous_multiplier numeric,
      challenge_id uuid)
  ), entry as (
    insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on,
      credited_at, movements, minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier,
      challenge_id)
    select org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on, credited_at, movements,
      minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier, challenge_id
    from credit
  ), pending as (
    insert into pending_team_credits (org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, credited_at,
      week_reached_at)
    select org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, reached_at, week_reached_at
    from credit
  ), week as (
    insert into member_weeks as w (org_id, user_id, week_starts_on, centimiles, reached_at, version)
    select org_id, user_id, week_starts_on, sum(centimiles), max(coalesce(week_reached_at, reached_at)), count(*)
    from credit group by 1, 2, 3 order by 1, 3, 2
    on conflict (org_id, week_starts_on, user_id) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at), version = w.version + excluded.version
  )
  insert into member_totals as t (org_id, user_id, centimiles, reached_at, version)
  select org_id, user_id, sum(centimiles), max(reached_at), count(*) from credit group by 1, 2 order by 1, 2
  on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + excluded.version`;

/** The entries a member can list, and the sums of them by member and week. Teams' sums follow through pending_team_credits. */
export const ledgerProjection: Projection<LedgerEvent> = {
  name: 'miles-ledger',
  revision: 2,
  tables: [
    ...['ledger_entries', 'member_totals', 'member_weeks', 'pending_team_credits', 'credit_folds', 'team_totals'],
    ...['team_weeks', 'team_days', 'team_contributors', 'team_week_figures', 'team_week_days'],
  ],
  on: {
    MilesCredited: ({ orgId, data }) => [{ text: creditSql, rows: [rowOf(orgId, data)] }],
  },
  inBulk: { MilesCredited: creditsInBulk },
};

function rowOf(orgId: string, { basis, ...data }: LedgerEvent['data']): object {
  return {
    ...{ org_id: orgId, entry_id: data.entryId, kind: data.kind, log_id: data.logId, user_id: data.userId },
    ...{ team_id: data.teamId, centimiles: data.centimiles, credited_on: data.creditedOn },
    ...{
      week_starts_on: data.weekStartsOn,
      credited_at: data.creditedAt,
      reached_at: data.reachedAt ?? data.creditedAt,
    },
    movements: data.movements ?? 1,
    // The first logs tell no minutes: each earned ten hundredths of a mile.
    minutes: basis ? (basis.minutes ?? 0) : Math.round(data.centimiles / 10),
    ...{
      activity: basis?.activity,
      duration_minutes: basis?.durationMinutes,
      previous_minutes: basis?.previousMinutes,
    },
    ...{ multiplier: basis?.multiplier, previous_multiplier: basis?.previousMultiplier },
    ...{ challenge_id: basis?.challengeId, week_reached_at: data.weekReachedAt },
  };
}
