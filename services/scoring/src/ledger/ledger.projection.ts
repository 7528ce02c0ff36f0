import type { Projection } from '@caravan/event-store/projection';
import type { LedgerEvent } from '../ledger-events.ts';
import { creditsInBulk } from '../ledger-in-bulk.ts';

// One statement for all of them: each would cost a message to the server of its own, for every log of every member.
const creditSql = `
  with entry as (
    insert into ledger_entries (org_id, entry_id, kind, log_id, user_id, team_id, centimiles, credited_on, week_starts_on,
      credited_at, movements, minutes, activity, duration_minutes, previous_minutes, multiplier, previous_multiplier,
      challenge_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13, $14, $15, $16, $17, $18, $19)
  ), fresh as (
    insert into fresh_credits (org_id, entry_id, user_id, team_id, credited_on, week_starts_on, centimiles, credited_at,
      week_reached_at)
    values ($1, $2, $5, $6, $8, $9, $7, $11, $20)
  ), week as (
    insert into member_weeks as w (org_id, user_id, week_starts_on, centimiles, reached_at, version)
    values ($1, $5, $9, $7, coalesce($20, $11), 1)
    on conflict (org_id, week_starts_on, user_id) do update set centimiles = w.centimiles + excluded.centimiles,
      reached_at = greatest(w.reached_at, excluded.reached_at), version = w.version + 1
  )
  insert into member_totals as t (org_id, user_id, centimiles, reached_at, version) values ($1, $5, $7, $11, 1)
  on conflict (org_id, user_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at), version = t.version + 1`;

/** The entries a member can list, and the sums of them by member and week. Teams' sums follow through fresh_credits. */
export const ledgerProjection: Projection<LedgerEvent> = {
  name: 'miles-ledger',
  revision: 2,
  tables: [
    ...['ledger_entries', 'member_totals', 'member_weeks', 'fresh_credits', 'team_totals', 'team_weeks'],
    ...['team_days', 'team_contributors'],
  ],
  on: {
    MilesCredited: ({ orgId, data: { basis, ...data } }) => [
      {
        text: creditSql,
        values: [
          ...[orgId, data.entryId, data.kind, data.logId, data.userId, data.teamId, data.centimiles],
          ...[data.creditedOn, data.weekStartsOn, data.creditedAt, data.reachedAt ?? data.creditedAt],
          data.movements ?? 1,
          // The first logs tell no minutes: each earned ten hundredths of a mile.
          basis ? (basis.minutes ?? 0) : Math.round(data.centimiles / 10),
          ...[basis?.activity, basis?.durationMinutes, basis?.previousMinutes],
          ...[basis?.multiplier, basis?.previousMultiplier, basis?.challengeId, data.weekReachedAt],
        ],
      },
    ],
  },
  inBulk: { MilesCredited: creditsInBulk },
};
