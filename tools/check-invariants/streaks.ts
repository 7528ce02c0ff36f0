import { type Invariant, scoring } from './figures.ts';

/** Runs of days follow from entries; identity shows both as scoring has them. */
export const streakInvariants: readonly Invariant[] = [
  {
    name: 'I9 runs of days are those of the dates on which entries leave movements',
    truth: scoring(`select concat_ws('/', org_id, user_id, min(credited_on)) id, count(*) sum from (
        select org_id, user_id, credited_on, credited_on - (row_number() over (
          partition by org_id, user_id order by credited_on))::int island
        from (select org_id, user_id, credited_on from ledger_entries group by 1, 2, 3 having sum(movements) > 0) days) islands
        group by org_id, user_id, island`),
    claim: scoring(
      `select concat_ws('/', org_id, user_id, started_on) id, ended_on - started_on + 1 sum from streak_runs`,
    ),
  },
  {
    name: 'I9 identity shows the latest run of days',
    // Of the erased, identity keeps nothing.
    truth: scoring(`select concat_ws('/', org_id, user_id, max(started_on)) id, 1 sum from streak_runs r
        where not exists (select from members m where m.org_id = r.org_id and m.user_id = r.user_id and m.is_erased)
        group by org_id, user_id`),
    claim: {
      service: 'identity',
      text: `select concat_ws('/', org_id, user_id, started_on) id, 1 sum from (
          select org_id, user_id, case when has_own_streak then own_run_started_on else run_started_on end as started_on
          from member_scores) own where started_on is not null`,
    },
  },
  {
    name: 'I9 [D21] colleagues see a latest run of days that none of the dates for its owner alone is in',
    truth: scoring(`select concat_ws('/', org_id, user_id, max(started_on), max(ended_on)) id, 1 sum from (
        select org_id, user_id, min(credited_on) started_on, max(credited_on) ended_on from (
          select org_id, user_id, credited_on, credited_on - (row_number() over (
            partition by org_id, user_id order by credited_on))::int island
          from (select org_id, user_id, credited_on from ledger_entries where not is_owner_only
            group by 1, 2, 3 having sum(movements) > 0) days) islands
        group by org_id, user_id, island) r
        where not exists (select from members m where m.org_id = r.org_id and m.user_id = r.user_id and m.is_erased)
        group by org_id, user_id`),
    claim: {
      service: 'identity',
      text: `select concat_ws('/', org_id, user_id, run_started_on, run_ended_on) id, 1 sum from member_scores
        where run_started_on is not null`,
    },
  },
  {
    name: 'I9 identity shows the totals of scoring',
    truth: scoring(`select org_id || '/' || user_id id, sum(centimiles) sum from ledger_entries e
        where not exists (select from members m where m.org_id = e.org_id and m.user_id = e.user_id and m.is_erased)
        group by org_id, user_id`),
    claim: { service: 'identity', text: `select org_id || '/' || user_id id, total_centimiles sum from member_scores` },
  },
];
