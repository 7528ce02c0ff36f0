import { badgeEarned } from '@caravan/contracts/scoring.events';
import type { Tx } from '@caravan/event-store/event-store';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { Live } from '@caravan/service-kit/live';
import { Controller, Inject } from '@nestjs/common';

type Earned = Consumed<typeof badgeEarned>;

/** What the profile shows of a member's badges (3.45). A badge is earned once: twice changes nothing. */
@Controller()
export class KeepBadgesWhenBadgeEarned {
  constructor(@Inject(Live) private readonly live: Live) {}

  @Consumes({ group: 'identity.keep-scores', from: 'scoring', contract: badgeEarned, reflects: ['activity'] })
  keep(event: Earned, batch: BatchContext): void {
    batch.enqueueWrite(writeBadges, event);
    batch.afterCommit(() => this.live.publish(event.orgId, ['people']));
  }
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
