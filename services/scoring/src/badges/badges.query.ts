import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Figures } from './badges.ts';
import { streakDaysOn, type HeldBadge, type Streak } from './gallery.ts';
import { type LoggedEntry, netOfLogs, type OwnEntry } from './history.ts';
import { dividedFiguresOf } from './owner-only.query.ts';

export type Whose = { readonly orgId: string; readonly userId: string };

export type BadgeRecord = Whose &
  Streak & {
    readonly figures: Figures;
    /** Without what only the member may see (D21). */
    readonly shown: Figures;
    /** Also those that were taken back since. */
    readonly ownerOnlyEntries: number;
    readonly entries: number;
    readonly activities: readonly string[];
    readonly earned: readonly HeldBadge[];
    readonly isErased: boolean;
    readonly timeZone: string;
  };

const mostLogs = 100;
const mostActivities = 5;
/** What is entered late lies a week back at most: it touches no older run. */
const mostRuns = 10;

// What is not scored earns no badge (D21). Activities are found by leaps through the index, not by reading all logs.
export const recordSql = `
  select k.org_id, k.user_id, coalesce(t.centimiles, 0) as centimiles,
    coalesce(t.version, 0) as entries, coalesce(t.owner_only_entries, 0) as owner_only_entries,
    coalesce(m.is_erased, false) as is_erased,
    coalesce(m.time_zone, o.time_zone, 'UTC') as time_zone, coalesce(o.has_streak_freezes, true) as has_freezes,
    (select coalesce(max(ended_on - started_on) + 1, 0) from (
      select started_on, ended_on from streak_runs r
      where r.org_id = k.org_id and r.user_id = k.user_id order by started_on desc limit ${mostRuns}) r) as longest_run,
    (select json_build_object('startedOn', started_on, 'daysBefore', days_before, 'freezes', freezes) from streak_starts s
      where s.org_id = k.org_id and s.user_id = k.user_id) as streak_start,
    (select json_build_object('startedOn', started_on, 'endedOn', ended_on) from streak_runs r
      where r.org_id = k.org_id and r.user_id = k.user_id order by started_on desc limit 1) as latest_run,
    (select count(*) from (select from credited_movements c
      where c.org_id = k.org_id and c.user_id = k.user_id and c.centimiles > 0 limit ${mostLogs}) l) as logs,
    array(
      with recursive leap as (
        (select c.activity_key as activity from credited_movements c
          where c.org_id = k.org_id and c.user_id = k.user_id and c.centimiles > 0 order by 1 limit 1)
        union all
        select (select c.activity_key from credited_movements c
          where c.org_id = k.org_id and c.user_id = k.user_id and c.activity_key > leap.activity and c.centimiles > 0
            order by 1 limit 1)
        from leap where leap.activity is not null
      )
      select activity from leap where activity is not null limit ${mostActivities}
    ) as activities,
    (select coalesce(json_agg(json_build_object('badgeId', badge_id, 'earnedAt', earned_at,
      'isOwnerOnly', is_owner_only)), '[]') from member_badges b
      where b.org_id = k.org_id and b.user_id = k.user_id) as earned
  from unnest($1::uuid[], $2::uuid[]) as k (org_id, user_id)
  left join member_totals t on t.org_id = k.org_id and t.user_id = k.user_id
  left join members m on m.org_id = k.org_id and m.user_id = k.user_id
  left join organisations o on o.org_id = k.org_id`;

type Row = Omit<BadgeRecord, 'figures' | 'shown' | 'earned'> & {
  readonly centimiles: number;
  readonly longestRun: number;
  readonly logs: number;
  readonly earned: readonly (Omit<HeldBadge, 'earnedAt'> & { readonly earnedAt: string })[];
};

export async function recordsOf(tx: Tx, members: readonly Whose[]): Promise<BadgeRecord[]> {
  const { rows } = await tx.query<Row>(recordSql, [
    members.map(({ orgId }) => orgId),
    members.map(({ userId }) => userId),
  ]);
  return Promise.all(
    rows.map(async ({ centimiles, longestRun, logs, earned, ...row }) => {
      const figures = {
        miles: milesOf(centimiles),
        logs,
        activities: row.activities.length,
        // Freezes join runs to a longer streak than any run of days (D11).
        streakDays: Math.max(longestRun, streakDaysOn(row)),
      };
      const divided = row.ownerOnlyEntries > 0 ? await dividedFiguresOf(tx, row) : null;
      return {
        ...row,
        figures: divided ? { ...figures, streakDays: divided.streakDays } : figures,
        shown: divided ? divided.shown : figures,
        earned: earned.map(({ earnedAt, ...badge }) => ({ ...badge, earnedAt: new Date(earnedAt) })),
      };
    }),
  );
}

/** All of a member's ledger: read once, for a history that nobody has looked at. */
export async function historyOf(tx: Tx, { orgId, userId }: Whose): Promise<OwnEntry[]> {
  const { rows } = await tx.query<Omit<LoggedEntry, 'at'> & { at: Date }>(
    // Rows of the first version tell when a movement was entered; its date ends within 36 hours of UTC's.
    `select case when coalesce(c.ended_at, e.credited_at) <= (e.credited_on + interval '36 hours') at time zone 'UTC'
         then coalesce(c.ended_at, e.credited_at) else (e.credited_on + interval '12 hours') at time zone 'UTC' end as at,
       e.centimiles, e.credited_on, e.log_id,
       case when e.kind = 'log' then c.activity_type end as activity_type, e.is_owner_only
     from ledger_entries e left join credited_movements c on c.org_id = e.org_id and c.log_id = e.log_id
     where e.org_id = $1 and e.user_id = $2 order by e.kind <> 'log', e.credited_at, e.entry_id`,
    [orgId, userId],
  );
  return netOfLogs(rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })));
}
