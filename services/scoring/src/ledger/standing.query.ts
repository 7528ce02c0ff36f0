import type { StreakRun, StreakStart } from '@caravan/contracts/streak';
import type { Tx } from '@caravan/event-store/event-store';

/** Where a member stands before an entry. */
export type StandingBefore = {
  /** The organisation's; null while this service has not heard of it. */
  readonly timeZone: string | null;
  /** Whether the organisation lets freezes hold streaks (D11). */
  readonly hasFreezes: boolean;
  readonly centimiles: number;
  /** How many entries make up the total. */
  readonly entries: number;
  /** The two latest, latest first. */
  readonly latestRuns: readonly StreakRun[];
  /** How the latest run began; null while nobody has looked. */
  readonly start: StreakStart | null;
};

/** Reads where a member stands, under the member's lock. */
export async function standingOf(
  tx: Tx,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<StandingBefore> {
  const { rows } = await tx.query<StandingBefore>(
    `select o.time_zone as "timeZone", coalesce(o.has_streak_freezes, true) as "hasFreezes",
       coalesce(t.centimiles, 0) as centimiles, coalesce(t.version, 0) as entries,
       (select json_build_object('startedOn', started_on, 'daysBefore', days_before, 'freezes', freezes)
        from streak_starts where org_id = $1 and user_id = $2) as start,
       (select coalesce(json_agg(r), '[]') from (
         select started_on as "startedOn", ended_on as "endedOn" from streak_runs
         where org_id = $1 and user_id = $2 order by started_on desc limit 2
       ) r) as "latestRuns"
     from (values (1)) one
     left join organisations o on o.org_id = $1
     left join member_totals t on t.org_id = $1 and t.user_id = $2`,
    [orgId, userId],
  );
  return rows[0] ?? { timeZone: null, hasFreezes: true, centimiles: 0, entries: 0, latestRuns: [], start: null };
}
