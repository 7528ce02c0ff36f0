import {
  badgeEarned,
  badgeWithdrawn,
  bonusChallengeClosed,
  bonusChallengeOpened,
  challengeEndingToday,
  checkpointReached,
  ownBadgeEarned,
  rankLost,
  streakAtRisk,
  weeklyChallengeCompleted,
  weeklyChallengeReached,
  weeklyChallengeUnreached,
  weeklyGoalNear,
} from '@caravan/contracts/events/scoring.events';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { AnnounceNotices } from './announce-notices.job.ts';
import { type NoticeChange, writeNotices } from './notices.store.ts';

/** When the last zone of the world has left a local date. */
const endOf = (on: string) => `${addDays(on, 1)}T12:00:00.000Z`;

/** Credits of miles, which are most of what scoring tells, raise nothing; the bell of an open page is told by itself. */
const source = { group: 'social.notify-of-scoring', from: 'scoring', isAwaited: false, isPrompt: false } as const;

/** What members and teams have reached, and what waits for them. */
@Controller()
export class NotifyOfScoringConsumer {
  constructor(@Inject(AnnounceNotices) private readonly announcer: AnnounceNotices) {}

  @Consumes({ ...source, contract: badgeEarned })
  tellMemberWhenBadgeEarned(earned: Consumed<typeof badgeEarned>, batch: BatchContext): void {
    this.note(batch, newsOfBadge(earned));
  }

  /** A badge that colleagues see later is the same item: its member is not notified twice. */
  @Consumes({ ...source, contract: ownBadgeEarned })
  tellMemberWhenOwnBadgeEarned(earned: Consumed<typeof ownBadgeEarned>, batch: BatchContext): void {
    this.note(batch, newsOfBadge(earned));
  }

  @Consumes({ ...source, contract: badgeWithdrawn })
  withdrawWhenBadgeWithdrawn({ orgId, data }: Consumed<typeof badgeWithdrawn>, batch: BatchContext): void {
    const { userId, badgeId: item } = data;
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['badge'], subject: 'badges', item, userId });
  }

  /** Its team; of the end of a route everybody. */
  @Consumes({ ...source, contract: checkpointReached })
  tellTeamWhenCheckpointReached({ orgId, id, data }: Consumed<typeof checkpointReached>, batch: BatchContext): void {
    const { journeyId, teamId, checkpointName: title, routeName, isLast, reachedAt: at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: isLast ? 'everybody' : { teamId },
      kind: 'checkpoint',
      subject: `${journeyId} ${teamId}`,
      item: title,
      at,
      // Its entry in the feeds has the id of the fact, whichever of the two comes first.
      facts: { teamId, title, routeName, isLast, entryId: id },
    });
  }

  @Consumes({ ...source, contract: bonusChallengeOpened })
  tellEverybodyWhenBonusChallengeOpened(
    { orgId, data }: Consumed<typeof bonusChallengeOpened>,
    batch: BatchContext,
  ): void {
    const { challengeId, title, openedAt, expiresAt } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: 'everybody',
      kind: 'bonus-opened',
      subject: challengeId,
      item: 'opened',
      facts: { title },
      at: openedAt,
      expiresAt,
    });
  }

  @Consumes({ ...source, contract: bonusChallengeClosed })
  withdrawWhenBonusChallengeClosed({ orgId, data }: Consumed<typeof bonusChallengeClosed>, batch: BatchContext): void {
    const kinds = ['bonus-opened', 'challenge-ending'] as const;
    this.note(batch, { is: 'withdrawn', orgId, kinds, subject: data.challengeId });
  }

  @Consumes({ ...source, contract: weeklyChallengeReached })
  tellMemberWhenWeeklyChallengeReached(
    { orgId, data }: Consumed<typeof weeklyChallengeReached>,
    batch: BatchContext,
  ): void {
    const { userId, challengeId, name: title, bonusCentimiles: centimiles, reachedAt: at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'challenge-reached',
      subject: challengeId,
      item: 'reached',
      facts: { title, centimiles },
      at,
    });
  }

  @Consumes({ ...source, contract: weeklyChallengeUnreached })
  withdrawWhenWeeklyChallengeUnreached(
    { orgId, data }: Consumed<typeof weeklyChallengeUnreached>,
    batch: BatchContext,
  ): void {
    const { challengeId: subject, userId } = data;
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['challenge-reached'], subject, item: 'reached', userId });
  }

  @Consumes({ ...source, contract: challengeEndingToday })
  tellMemberWhenChallengeEndingToday(
    { orgId, data, occurredAt: at }: Consumed<typeof challengeEndingToday>,
    batch: BatchContext,
  ): void {
    const { userId, kind: challenge, challengeId, name: title, on } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'challenge-ending',
      subject: challengeId,
      item: on,
      facts: { title, challenge },
      at,
      expiresAt: endOf(on),
    });
  }

  @Consumes({ ...source, contract: weeklyGoalNear })
  tellMemberWhenWeeklyGoalNear(
    { orgId, data, occurredAt: at }: Consumed<typeof weeklyGoalNear>,
    batch: BatchContext,
  ): void {
    const { userId, weekStartsOn, missingCentimiles: centimiles } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'goal-near',
      subject: weekStartsOn,
      item: 'near',
      facts: { centimiles },
      at,
      expiresAt: endOf(addDays(weekStartsOn, 6)),
    });
  }

  @Consumes({ ...source, contract: streakAtRisk })
  tellMemberWhenStreakAtRisk(
    { orgId, data, occurredAt: at }: Consumed<typeof streakAtRisk>,
    batch: BatchContext,
  ): void {
    const { userId, on, days } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'streak-at-risk',
      subject: on,
      item: 'at-risk',
      facts: { days },
      at,
      expiresAt: endOf(on),
    });
  }

  /** By the name of who passed, while they let their figures be seen. */
  @Consumes({ ...source, contract: rankLost })
  tellMemberWhenRankLost({ orgId, id, data }: Consumed<typeof rankLost>, batch: BatchContext): void {
    const { userId, byUserId: actorId, rank, lostAt: at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'rank-lost',
      subject: 'rank',
      item: id,
      actorId,
      at,
      facts: { rank },
    });
  }

  @Consumes({ ...source, contract: weeklyChallengeCompleted })
  withdrawWhenWeeklyChallengeCompleted(
    { orgId, data }: Consumed<typeof weeklyChallengeCompleted>,
    batch: BatchContext,
  ): void {
    const { challengeId: subject, userId } = data;
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['challenge-reached', 'challenge-ending'], subject, userId });
  }

  private note(batch: BatchContext, change: NoticeChange): void {
    batch.enqueueWrite(writeNotices, change);
    batch.afterCommit(() => this.announcer.soon());
  }
}

function newsOfBadge({ orgId, data, occurredAt }: Consumed<typeof badgeEarned>): NoticeChange {
  const { userId, badgeId, badgeName: title } = data;
  return {
    is: 'raised',
    orgId,
    to: { userId },
    kind: 'badge',
    subject: 'badges',
    item: badgeId,
    facts: { badgeId, title },
    at: occurredAt,
  };
}
