import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import type { PersonKey } from '@caravan/contracts/events/fact-key';
import type { CommandMeta, Tx } from '@caravan/event-store/core/event-store';
import { shownRunsOf } from '../ledger/index.ts';
import { earnedBadgeIds, type Figures } from './badges.ts';
import { catalogue, idsOf } from './catalogue.ts';
import type { HeldBadge } from './gallery.ts';
import { longestStreakOf } from './history.ts';

type Member = { readonly orgId: string; readonly userId: string; readonly hasFreezes: boolean };
type Holder = Omit<Member, 'hasFreezes'> & { readonly figures: Figures; readonly earned: readonly HeldBadge[] };

type Divided = { readonly shown: Figures; readonly streakDays: number };

/**
 * What a member's badges rest on when everything is left out that only the member may see (D21), and the longest streak
 * with it. Reads the whole history; that is done only for members who have such data.
 */
export async function dividedFiguresOf(tx: Tx, member: Member): Promise<Divided> {
  const { rows } = await tx.query<{ centimiles: number; logs: number; activities: number; runs: StreakRun[] }>(
    `select (select coalesce(json_agg(json_build_object('startedOn', started_on, 'endedOn', ended_on) order by started_on), '[]')
         from streak_runs where org_id = $1 and user_id = $2) as runs,
        coalesce((select centimiles - owner_only_centimiles from member_totals
         where org_id = $1 and user_id = $2), 0)::float8 as centimiles,
       count(*)::int as logs, count(distinct activity_key)::int as activities
     from credited_movements
     where org_id = $1 and user_id = $2 and centimiles > 0 and audience = 'organisation'`,
    [member.orgId, member.userId],
  );
  const [found] = rows;
  if (!found) throw new Error('Aggregates always answer a row');
  const { centimiles, logs, activities, runs } = found;
  const shownStreakDays = longestStreakOf(await shownRunsOf(tx, member), member.hasFreezes);
  return {
    shown: { miles: milesOf(centimiles), logs, activities, streakDays: shownStreakDays },
    streakDays: longestStreakOf(runs, member.hasFreezes),
  };
}

const ofChallenges = idsOf('weeklyChallenges');
const ofJourneys = idsOf('checkpoints', 'routes');

// A claim is withdrawn by itself once its condition no longer holds (D8). A member whose owner-only miles from before an
// arrival are all gone contributed nothing to it, so the badge of the arrival goes. A day is added because miles are
// credited by the local date, which may be a day ahead of UTC.
const groundsSql = `
  select exists (select from weekly_claims where org_id = $1 and user_id = $2 and is_claimed) as has_claim,
    array(
      select b.badge_id from member_badges b
      where b.org_id = $1 and b.user_id = $2 and b.badge_id = any($3) and exists (
        select from ledger_entries e
        where e.org_id = $1 and e.user_id = $2 and e.is_owner_only and e.log_id is not null
          and e.credited_on <= (b.earned_at + interval '1 day')::date
        group by e.log_id having sum(e.centimiles) > 0)
    ) as journeys`;

/** Badges that only their owner sees and whose data is gone (D13). */
export async function badgesWithoutGrounds(tx: Tx, record: Holder): Promise<string[]> {
  const own = record.earned.filter(({ isOwnerOnly }) => isOwnerOnly);
  if (own.length === 0) return [];
  const values = [record.orgId, record.userId, ofJourneys];
  const { rows } = await tx.query<{ hasClaim: boolean; journeys: string[] }>(groundsSql, values);
  const [grounds] = rows;
  if (!grounds) throw new Error('A select without a table has one row');
  const upheld = new Set([
    ...earnedBadgeIds(catalogue, record.figures),
    ...(grounds.hasClaim ? ofChallenges : []),
    ...grounds.journeys,
  ]);
  return own.map(({ badgeId }) => badgeId).filter((badgeId) => !upheld.has(badgeId));
}

/** An act that has a badge of its own; the key of `meta` is its member. */
export type Deed = {
  readonly meta: CommandMeta<PersonKey>;
  readonly badgeId: string;
  readonly earnedAt: Date;
  /** For a badge that a team reached: colleagues see it where they may see what the member brought to it. */
  readonly journey?: { readonly journeyId: string; readonly teamId: string };
};

// `brought` is null where all that the member brought to the journey is gone.
const openDeedsSql = `
  select k.nth::int as nth, brought.is_owner_only
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[])
    with ordinality as k (org_id, user_id, badge_id, journey_id, team_id, nth)
  cross join lateral (
    select case
      when k.journey_id is null or not exists (select from member_totals t
        where t.org_id = k.org_id and t.user_id = k.user_id and t.owner_only_entries > 0) then false
      else (
        select bool_and(is_owner_only) from (
          select e.is_owner_only from ledger_entries e
          where e.org_id = k.org_id and e.user_id = k.user_id and e.team_id = k.team_id
            and e.credited_on >= coalesce((select min(s.data ->> 'startsOn')::date from es.events s
              where s.org_id = k.org_id and s.stream_id = 'journey-' || k.org_id and s.type = 'JourneyStarted'
                and s.data ->> 'journeyId' = k.journey_id::text), '-infinity')
          group by e.log_id, e.is_owner_only
          having sum(e.centimiles) > 0 or (not e.is_owner_only and max(e.centimiles) > 0)) logs
      ) end as is_owner_only
  ) brought
  where brought.is_owner_only is not null
    and not exists (select from member_badges b
      where b.org_id = k.org_id and b.user_id = k.user_id and b.badge_id = k.badge_id
        and (not b.is_owner_only or brought.is_owner_only))
    and not exists (select from members m where m.org_id = k.org_id and m.user_id = k.user_id and m.is_erased)
  order by 1`;

/** Those that earn something new, and whether colleagues may see it (D21). */
export async function openDeedsOf<Of extends { readonly deed: Deed }>(
  tx: Tx,
  all: readonly Of[],
): Promise<(Of & { readonly isOwnerOnly: boolean })[]> {
  const { rows } = await tx.query<{ nth: number; isOwnerOnly: boolean }>(openDeedsSql, [
    all.map(({ deed }) => deed.meta.orgId),
    all.map(({ deed }) => deed.meta.key.id),
    all.map(({ deed }) => deed.badgeId),
    all.map(({ deed }) => deed.journey?.journeyId ?? null),
    all.map(({ deed }) => deed.journey?.teamId ?? null),
  ]);
  return rows.flatMap(({ nth, isOwnerOnly }) => {
    const one = all[nth - 1];
    return one ? [{ ...one, isOwnerOnly }] : [];
  });
}
