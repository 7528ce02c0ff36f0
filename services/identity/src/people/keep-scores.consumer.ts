import { badgeEarned, milesCredited } from '@caravan/contracts/scoring.events';
import type { Tx } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

type Credited = Consumed<typeof milesCredited>;

type Earned = Consumed<typeof badgeEarned>;

/** Miles, runs of active days and badges, as scoring tells them. */
@Controller()
export class KeepScoresConsumer {
  constructor(@Inject(Live) private readonly live: Live) {}

  /** Totals are absolute: twice changes nothing. */
  @Consumes({ group: 'identity.keep-scores', from: 'scoring', contract: milesCredited, reflects: ['activity'] })
  keepScoresWhenMilesCredited(event: Credited, batch: BatchContext): void {
    batch.enqueueWrite(writeScores, event);
    batch.afterCommit(() => this.live.publish(event.orgId, ['me'], { to: event.data.userId }));
  }

  /** A badge is earned once: twice changes nothing (3.45). */
  @Consumes({ group: 'identity.keep-scores', from: 'scoring', contract: badgeEarned, reflects: ['activity'] })
  keepBadgesWhenBadgeEarned(event: Earned, batch: BatchContext): void {
    batch.enqueueWrite(writeBadges, event);
    batch.afterCommit(() => this.live.publish(event.orgId, ['people']));
  }
}

/** Miles of somebody erased meanwhile are theirs no more. */
async function writeScores(tx: Tx, events: readonly Credited[]): Promise<void> {
  // In one order for all: batches of two processes cannot wait for each other in a circle.
  await tx.query(
    `insert into member_scores (org_id, user_id, total_centimiles, run_started_on, run_ended_on, streak_days, streak_freezes, epoch, position)
      select distinct on (org_id, user_id) * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::date[], $5::date[], $6::int[], $7::smallint[], $8::bigint[], $9::bigint[])
        as credited (org_id, user_id, total_centimiles, run_started_on, run_ended_on, streak_days, streak_freezes, epoch, position)
      where exists (select from memberships m where m.org_id = credited.org_id and m.user_id = credited.user_id)
      order by org_id, user_id, epoch desc, position desc
      on conflict (org_id, user_id) do update set total_centimiles = excluded.total_centimiles,
        run_started_on = excluded.run_started_on, run_ended_on = excluded.run_ended_on,
        streak_days = excluded.streak_days, streak_freezes = excluded.streak_freezes,
        epoch = excluded.epoch, position = excluded.position
      where (member_scores.epoch, member_scores.position) < (excluded.epoch, excluded.position)`,
    [
      events.map(({ orgId }) => orgId),
      events.map(({ data }) => data.userId),
      events.map(({ data }) => data.totalCentimiles),
      events.map(({ data }) => data.latestRun?.startedOn ?? null),
      events.map(({ data }) => data.latestRun?.endedOn ?? null),
      events.map(({ data }) => data.streak?.days ?? null),
      events.map(({ data }) => data.streak?.freezes ?? null),
      events.map(({ epochs }) => epochs.scoring ?? 0),
      events.map(({ position }) => position),
    ],
  );
}

/** Badges of somebody erased meanwhile are theirs no more. */
async function writeBadges(tx: Tx, events: readonly Earned[]): Promise<void> {
  await tx.query(
    `insert into member_badges (org_id, user_id, badge_id, name, earned_at)
      select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
        as earned (org_id, user_id, badge_id, name, earned_at)
      where exists (select from memberships m where m.org_id = earned.org_id and m.user_id = earned.user_id)
      order by 1, 2, 3 on conflict do nothing`,
    [
      events.map(({ orgId }) => orgId),
      events.map(({ data }) => data.userId),
      events.map(({ data }) => data.badgeId),
      events.map(({ data }) => data.badgeName),
      events.map(({ data }) => data.earnedAt),
    ],
  );
}
