import { personKey } from '@caravan/contracts/fact-key';
import { positionsOf } from '@caravan/contracts/log-position';
import { checkpointReached } from '@caravan/contracts/scoring.events';
import { EventStore } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';

type Reached = Consumed<typeof checkpointReached>;

/** Who has earned miles for a team gets the badges of where it arrives (D33). */
@Controller()
export class AwardTravellersConsumer {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(BadgeAwards) private readonly awards: BadgeAwards,
  ) {}

  @Consumes({
    group: 'scoring.award-travellers',
    from: 'scoring',
    contract: checkpointReached,
    isAwaited: false,
    isPrompt: false,
  })
  async awardTravellersWhenCheckpointReached(reached: Reached, batch: BatchContext): Promise<void> {
    const { orgId, data } = reached;
    const at = new Date(data.reachedAt);
    const badgeIds = data.isLast ? ['first-checkpoint', 'first-route'] : ['first-checkpoint'];
    const due = badgeIds.map((badgeId) => ({ badgeId, earnedAt: data.reachedAt }));
    const userIds = await withoutThem(batch, { orgId, badgeIds, userIds: data.contributors });
    // Sorted, as those do who credit miles: nobody waits in a circle.
    await batch.tx.query('select es.lock_keys($1)', [userIds]);
    for (const userId of userIds) {
      const meta = { orgId, actorId: null, at, key: personKey(userId), causes: positionsOf(reached) };
      await this.awards.award(this.store.within(batch.tx, meta), due);
      batch.afterCommit(() => this.awards.announce(orgId, userId));
    }
  }
}

async function withoutThem(
  { tx }: BatchContext,
  { orgId, badgeIds, userIds }: { orgId: string; badgeIds: readonly string[]; userIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await tx.query<{ userId: string }>(
    `select m.user_id as "userId" from members m
     where m.org_id = $1 and m.user_id = any($2::uuid[]) and not m.is_erased and cardinality($3::text[]) > (
       select count(*) from member_badges b
       where b.org_id = m.org_id and b.user_id = m.user_id and b.badge_id = any($3::text[]))
     order by 1`,
    [orgId, userIds, badgeIds],
  );
  return rows.map(({ userId }) => userId);
}
