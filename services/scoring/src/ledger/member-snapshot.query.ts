import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import { coalesce } from '@caravan/event-store/postgres/coalesce';
import type { Tx, PersonUnit } from '@caravan/event-store/core/event-store';
import type { Recorded } from '@caravan/event-store/core/projection';
import { zonesSql } from '../directory/index.ts';
import type { LedgerEvent } from './ledger.ts';
import type { FiguresAfter, ShownStreak } from './public-events.ts';
import { figuresWith, figuresWithMiles, latestAfter, latestOfAll, streakWith, withShown } from './streaks.ts';
import type { MemberSnapshot } from './streaks.ts';

type Whose = { readonly orgId: string; readonly userId: string };

/** Under the member's lock; for all who are asked about together by one statement. */
export function memberSnapshotOf(tx: Tx, whose: Whose): Promise<MemberSnapshot> {
  return coalesce(tx, memberSnapshotsOf, whose);
}

async function memberSnapshotsOf(tx: Tx, members: readonly Whose[]): Promise<MemberSnapshot[]> {
  const { rows } = await tx.query<MemberSnapshot>(
    `select case when o.org_id is not null then ${zonesSql} end as zones, coalesce(o.has_streak_freezes, true) as has_freezes,
       coalesce(t.centimiles, 0) as centimiles, coalesce(t.version, 0) as entries,
       coalesce(t.owner_only_entries, 0) as owner_only_entries,
       (select json_build_object('startedOn', started_on, 'daysBefore', days_before, 'freezes', freezes)
        from streak_starts s where s.org_id = k.org_id and s.user_id = k.user_id) as start,
       (select coalesce(json_agg(json_build_object('startedOn', started_on, 'endedOn', ended_on)), '[]') from (
         select started_on, ended_on from streak_runs s
         where s.org_id = k.org_id and s.user_id = k.user_id order by started_on desc limit 2
       ) r) as latest_runs
     from unnest($1::uuid[], $2::uuid[]) with ordinality as k (org_id, user_id, nth)
     left join organisations o on o.org_id = k.org_id
     left join member_totals t on t.org_id = k.org_id and t.user_id = k.user_id order by k.nth`,
    [members.map(({ orgId }) => orgId), members.map(({ userId }) => userId)],
  );
  return rows;
}

export async function figuresWithBonus({ tx, meta }: PersonUnit, centimiles: number): Promise<FiguresAfter> {
  const whose = { orgId: meta.orgId, userId: meta.key.id };
  const before = await memberSnapshotOf(tx, whose);
  const figures = figuresWithMiles(before, centimiles);
  return before.ownerOnlyEntries > 0 ? withShown(figures, await shownStreakOf(tx, whose)) : figures;
}

/** Each fact tells the member's figures of today: who keeps the latest ends with the same. */
export async function figuresOf(tx: Tx, events: readonly Recorded<LedgerEvent>[]): Promise<FiguresAfter[]> {
  const figures = new Map<string, Promise<FiguresAfter>>();
  for (const { orgId, data } of events) {
    const id = `${orgId} ${data.userId}`;
    if (!figures.has(id)) figures.set(id, figuresOfMember(tx, { orgId, userId: data.userId }));
  }
  return Promise.all(
    events.map(async ({ orgId, data }) => (await figures.get(`${orgId} ${data.userId}`)) ?? noFigures),
  );
}

const noFigures: FiguresAfter = { totalCentimiles: 0, latestRun: null };

async function figuresOfMember(tx: Tx, whose: { orgId: string; userId: string }): Promise<FiguresAfter> {
  const before = await memberSnapshotOf(tx, whose);
  const figures = figuresWith(before.centimiles, latestAfter(before, []) ?? (await latestRunOf(tx, whose)));
  return before.ownerOnlyEntries > 0 ? withShown(figures, await shownStreakOf(tx, whose)) : figures;
}

async function latestRunOf(tx: Tx, { orgId, userId }: { orgId: string; userId: string }) {
  const { rows } = await tx.query<StreakRun>(
    `select started_on, ended_on from streak_runs
     where org_id = $1 and user_id = $2 order by started_on`,
    [orgId, userId],
  );
  return latestOfAll(rows, [], {});
}

/** A log that is about to change: `shownOn` is the date it makes active for colleagues from then on, if any. */
export type ShownChange = { readonly logId: string; readonly shownOn: string | null };

/**
 * Runs of the dates that colleagues may know of, oldest first (D21). Reads a member's whole ledger; that is done only for
 * members who have entries that colleagues may not see.
 */
export async function shownRunsOf(
  tx: Tx,
  { orgId, userId }: Whose,
  change: ShownChange | null = null,
): Promise<StreakRun[]> {
  const { rows } = await tx.query<StreakRun>(
    `select min(day) as started_on, max(day) as ended_on from (
       select day, day - (row_number() over (order by day))::int as island from (
         select credited_on as day from ledger_entries
         where org_id = $1 and user_id = $2 and not is_owner_only and log_id is distinct from $3::uuid
         group by 1 having sum(movements) > 0
         union select $4::date where $4 is not null
       ) days
     ) numbered group by island order by 1`,
    [orgId, userId, change?.logId ?? null, change?.shownOn ?? null],
  );
  return rows;
}

export async function shownStreakOf(tx: Tx, whose: Whose, change: ShownChange | null = null): Promise<ShownStreak> {
  return streakWith(latestOfAll(await shownRunsOf(tx, whose, change), [], {}));
}
