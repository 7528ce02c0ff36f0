import type { StreakRun, StreakStart } from '@caravan/contracts/streak';
import type { Tx } from '@caravan/event-store/event-store';
import { coalesce } from '@caravan/event-store/coalesce';

/** What is known of a member before an entry. */
export type MemberSnapshot = {
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

type Whose = { readonly orgId: string; readonly userId: string };

/** Reads what is known of a member, under the member's lock; for all who are asked about together by one statement. */
export function memberSnapshotOf(tx: Tx, whose: Whose): Promise<MemberSnapshot> {
  return coalesce(tx, memberSnapshotsOf, whose);
}

async function memberSnapshotsOf(tx: Tx, members: readonly Whose[]): Promise<MemberSnapshot[]> {
  const { rows } = await tx.query<MemberSnapshot>(
    `select o.time_zone as "timeZone", coalesce(o.has_streak_freezes, true) as "hasFreezes",
       coalesce(t.centimiles, 0) as centimiles, coalesce(t.version, 0) as entries,
       (select json_build_object('startedOn', started_on, 'daysBefore', days_before, 'freezes', freezes)
        from streak_starts s where s.org_id = k.org_id and s.user_id = k.user_id) as start,
       (select coalesce(json_agg(r), '[]') from (
         select started_on as "startedOn", ended_on as "endedOn" from streak_runs s
         where s.org_id = k.org_id and s.user_id = k.user_id order by started_on desc limit 2
       ) r) as "latestRuns"
     from unnest($1::uuid[], $2::uuid[]) with ordinality as k (org_id, user_id, nth)
     left join organisations o on o.org_id = k.org_id
     left join member_totals t on t.org_id = k.org_id and t.user_id = k.user_id order by k.nth`,
    [members.map(({ orgId }) => orgId), members.map(({ userId }) => userId)],
  );
  return rows;
}
