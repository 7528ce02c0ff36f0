import { personKey } from '@caravan/contracts/fact-key';
import { positionsOf } from '@caravan/contracts/log-position';
import { reactionGiven, voteCast } from '@caravan/contracts/social.events';
import { EventStore } from '@caravan/event-store/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';

const from = { group: 'scoring.award-social-badges', from: 'social', locksKeys: true } as const;

type Deed = { readonly badgeId: string; readonly userId: string; readonly earnedAt: string };

// Most reactions and votes are not the first: of them nothing is read but this.
const isDueSql = `select from (values (1)) one where not exists (
    select from member_badges where org_id = $1 and user_id = $2 and badge_id = $3)
  and not exists (select from members where org_id = $1 and user_id = $2 and is_erased)`;

/** Badges for what members do with each other (D13). What earned one may be taken back; the badge stays. */
@Controller()
export class AwardSocialBadgesConsumer {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(BadgeAwards) private readonly awards: BadgeAwards,
  ) {}

  /** Who gives a reaction is a Cheerleader (D40). */
  @Consumes({ ...from, contract: reactionGiven })
  awardCheerleaderWhenReactionGiven(given: Consumed<typeof reactionGiven>, batch: BatchContext): Promise<void> {
    const { userId, givenAt } = given.data;
    return this.award(given, { badgeId: 'first-reaction', userId, earnedAt: givenAt }, batch);
  }

  /** Who votes for the name of the team is a Name Giver (D20). */
  @Consumes({ ...from, contract: voteCast })
  awardVoterWhenVoteCast(cast: Consumed<typeof voteCast>, batch: BatchContext): Promise<void> {
    const { userId, votedAt } = cast.data;
    return this.award(cast, { badgeId: 'team-name-voted', userId, earnedAt: votedAt }, batch);
  }

  private async award(fact: Consumed, { badgeId, userId, earnedAt }: Deed, batch: BatchContext): Promise<void> {
    const { orgId } = fact;
    const { rowCount } = await batch.tx.query(isDueSql, [orgId, userId, badgeId]);
    if (rowCount === 0) return;
    const meta = { orgId, actorId: null, at: new Date(earnedAt), key: personKey(userId), causes: positionsOf(fact) };
    await this.awards.award(this.store.within(batch.tx, meta), [{ badgeId, earnedAt }]);
    batch.afterCommit(() => this.awards.announce(orgId, userId));
  }
}
