import { personKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { reactionGiven, voteCast } from '@caravan/contracts/events/social.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';

const from = { group: 'scoring.award-social-badges', from: 'social' } as const;

/** Badges for what members do with each other (D13). What earned one may be taken back; the badge stays. */
@Controller()
export class AwardSocialBadgesConsumer {
  constructor(@Inject(BadgeAwards) private readonly awards: BadgeAwards) {}

  /** A reaction to a teammate's post makes a Cheerleader (D40); one to an own post, or where nobody else may see it, does not (D21). */
  @Consumes({ ...from, contract: reactionGiven })
  awardCheerleaderWhenReactionGiven(given: Consumed<typeof reactionGiven>, batch: BatchContext): void {
    const { userId, authorId, givenAt, isOwnerOnly } = given.data;
    if (isOwnerOnly || authorId === userId) return;
    this.awards.enqueueDeed(deedOf(given, userId, 'first-reaction', givenAt), batch);
  }

  /** Who votes for the name of the team is a Name Giver (D20). */
  @Consumes({ ...from, contract: voteCast })
  awardVoterWhenVoteCast(cast: Consumed<typeof voteCast>, batch: BatchContext): void {
    const { userId, votedAt } = cast.data;
    this.awards.enqueueDeed(deedOf(cast, userId, 'team-name-voted', votedAt), batch);
  }
}

function deedOf(fact: Consumed, userId: string, badgeId: string, at: string) {
  const earnedAt = new Date(at);
  const meta = { orgId: fact.orgId, actorId: null, at: earnedAt, key: personKey(userId), causes: positionsOf(fact) };
  return { meta, badgeId, earnedAt };
}
