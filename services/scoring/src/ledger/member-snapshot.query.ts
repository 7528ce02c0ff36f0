import type { StreakRun } from '@caravan/contracts/streak';
import { coalesce } from '@caravan/event-store/coalesce';
import type { Tx, PersonUnit } from '@caravan/event-store/event-store';
import type { Recorded } from '@caravan/event-store/projection';
import type { LedgerEvent } from './ledger.ts';
import type { FiguresAfter } from './public-events.ts';
import { figuresWith, figuresWithMiles, latestAfter, latestOfAll } from './streaks.ts';
import type { MemberSnapshot } from './streaks.ts';

type Whose = { readonly orgId: string; readonly userId: string };

/** Under the member's lock; for all who are asked about together by one statement. */
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

export async function figuresWithBonus({ tx, meta }: PersonUnit, centimiles: number): Promise<FiguresAfter> {
  return figuresWithMiles(await memberSnapshotOf(tx, { orgId: meta.orgId, userId: meta.key.id }), centimiles);
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
  return figuresWith(before.centimiles, latestAfter(before, []) ?? (await latestRunOf(tx, whose)));
}

async function latestRunOf(tx: Tx, { orgId, userId }: { orgId: string; userId: string }) {
  const { rows } = await tx.query<StreakRun>(
    `select started_on as "startedOn", ended_on as "endedOn" from streak_runs
     where org_id = $1 and user_id = $2 order by started_on`,
    [orgId, userId],
  );
  return latestOfAll(rows, [], {});
}
