import type {
  badgeEarned,
  badgeWithdrawn,
  milesCredited,
  ownBadgeEarned,
} from '@caravan/contracts/events/scoring.events';
import { shownStreakIn } from '@caravan/contracts/events/scoring.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Consumed } from '@caravan/messaging/consumer/consumer';

type Credited = Consumed<typeof milesCredited>;
type Earned = Consumed<typeof badgeEarned>;
type OwnEarned = Consumed<typeof ownBadgeEarned>;
type Withdrawn = Consumed<typeof badgeWithdrawn>;

/** The last of several changes of one badge stands. */
type BadgeChange =
  | { readonly is: 'shown' | 'own'; readonly event: Earned | OwnEarned }
  | { readonly is: 'gone'; readonly event: Withdrawn };

/** Stores no miles of members who were erased meanwhile. */
export async function storeScores(tx: Tx, events: readonly Credited[]): Promise<void> {
  // In one order for all: batches of two processes cannot wait for each other in a circle.
  await tx.query(
    `insert into member_scores (org_id, user_id, total_centimiles, run_started_on, run_ended_on, streak_days,
        streak_freezes, has_own_streak, own_run_started_on, own_run_ended_on, own_streak_days, own_streak_freezes, epoch,
        position)
      select distinct on (org_id, user_id) * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::date[], $5::date[],
          $6::int[], $7::smallint[], $8::boolean[], $9::date[], $10::date[], $11::int[], $12::smallint[], $13::bigint[],
          $14::bigint[])
        as credited (org_id, user_id, total_centimiles, run_started_on, run_ended_on, streak_days, streak_freezes,
          has_own_streak, own_run_started_on, own_run_ended_on, own_streak_days, own_streak_freezes, epoch, position)
      where exists (select from memberships m where m.org_id = credited.org_id and m.user_id = credited.user_id)
      order by org_id, user_id, epoch desc, position desc
      on conflict (org_id, user_id) do update set total_centimiles = excluded.total_centimiles,
        run_started_on = excluded.run_started_on, run_ended_on = excluded.run_ended_on,
        streak_days = excluded.streak_days, streak_freezes = excluded.streak_freezes,
        has_own_streak = excluded.has_own_streak, own_run_started_on = excluded.own_run_started_on,
        own_run_ended_on = excluded.own_run_ended_on, own_streak_days = excluded.own_streak_days,
        own_streak_freezes = excluded.own_streak_freezes,
        epoch = excluded.epoch, position = excluded.position
      where (member_scores.epoch, member_scores.position) < (excluded.epoch, excluded.position)`,
    [
      events.map(({ orgId }) => orgId),
      events.map(({ data }) => data.userId),
      events.map(({ data }) => data.totalCentimiles),
      ...columnsOf(events.map(({ data }) => shownStreakIn(data))),
      events.map(({ data }) => data.shown !== undefined),
      ...columnsOf(events.map(({ data }) => (data.shown ? data : undefined))),
      events.map(({ epochs }) => epochs.scoring ?? 0),
      events.map(({ position }) => position),
    ],
  );
}

type Streak = Pick<Credited['data'], 'latestRun' | 'streak'>;

const columnsOf = (streaks: readonly (Streak | undefined)[]): unknown[] => [
  streaks.map((one) => one?.latestRun?.startedOn ?? null),
  streaks.map((one) => one?.latestRun?.endedOn ?? null),
  streaks.map((one) => one?.streak?.days ?? null),
  streaks.map((one) => one?.streak?.freezes ?? null),
];

const badgeKeyOf = ({ event: { orgId, data } }: BadgeChange): string => `${orgId} ${data.userId} ${data.badgeId}`;

export async function storeBadges(tx: Tx, changes: readonly BadgeChange[]): Promise<void> {
  const last = [...new Map(changes.map((change) => [badgeKeyOf(change), change])).values()];
  await removeBadges(
    tx,
    last.flatMap((change) => (change.is === 'gone' ? [change.event] : [])),
  );
  await storeEarned(
    tx,
    last.flatMap((change) => (change.is === 'gone' ? [] : [{ ...change.event, isOwnerOnly: change.is === 'own' }])),
  );
}

async function removeBadges(tx: Tx, events: readonly Withdrawn[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `delete from member_badges b using unnest($1::uuid[], $2::uuid[], $3::text[]) as w (org_id, user_id, badge_id)
      where b.org_id = w.org_id and b.user_id = w.user_id and b.badge_id = w.badge_id and b.is_owner_only`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.userId), events.map(({ data }) => data.badgeId)],
  );
}

/** Stores no badges of members who were erased meanwhile. */
async function storeEarned(
  tx: Tx,
  events: readonly ((Earned | OwnEarned) & { readonly isOwnerOnly: boolean })[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into member_badges as b (org_id, user_id, badge_id, name, earned_at, is_owner_only)
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::boolean[])
        as earned (org_id, user_id, badge_id, name, earned_at, is_owner_only)
      where exists (select from memberships m where m.org_id = earned.org_id and m.user_id = earned.user_id)
      order by 1, 2, 3
      on conflict (org_id, user_id, badge_id) do update set earned_at = excluded.earned_at,
        is_owner_only = excluded.is_owner_only
      where b.is_owner_only`,
    [
      events.map(({ orgId }) => orgId),
      events.map(({ data }) => data.userId),
      events.map(({ data }) => data.badgeId),
      events.map(({ data }) => data.badgeName),
      events.map(({ data }) => data.earnedAt),
      events.map(({ isOwnerOnly }) => isOwnerOnly),
    ],
  );
}

const hasLeft = `not exists (select from memberships m where m.org_id = s.org_id and m.user_id = s.user_id)`;

/** For rebuilt rows: new members begin with nothing, and erased ones leave nothing. */
export const settleScoresSql: readonly string[] = [
  `insert into member_scores (org_id, user_id, total_centimiles, position)
       select org_id, user_id, 0, 0 from memberships on conflict do nothing`,
  `delete from member_scores s where ${hasLeft}`,
  `delete from member_badges s where ${hasLeft}`,
];
