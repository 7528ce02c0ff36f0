import {
  ballotDecided,
  ballotOpened,
  commentShownAgain,
  commentTakenDown,
  commentWritten,
  reactionGiven,
  reactionTakenBack,
  voteCast,
  weeklyRecapBuilt,
} from '@caravan/contracts/events/social.events';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { AnnounceNotices } from './announce-notices.job.ts';
import { type NoticeChange, writeNotices } from './notices.store.ts';

const source = { group: 'social.notify-of-social', from: 'social' } as const;

/** What colleagues do with each other's posts, and teams with their names. */
@Controller()
export class NotifyOfSocialConsumer {
  constructor(@Inject(AnnounceNotices) private readonly announcer: AnnounceNotices) {}

  /** Somebody counts once, with whatever emojis. */
  @Consumes({ ...source, contract: reactionGiven })
  tellAuthorWhenReactionGiven({ orgId, data }: Consumed<typeof reactionGiven>, batch: BatchContext): void {
    const { logId, userId, authorId, givenAt } = data;
    const to = { userId: authorId };
    this.note(batch, {
      is: 'raised',
      orgId,
      to,
      kind: 'reaction',
      subject: logId,
      item: userId,
      actorId: userId,
      at: givenAt,
    });
  }

  @Consumes({ ...source, contract: reactionTakenBack })
  countAnewWhenReactionTakenBack({ orgId, data }: Consumed<typeof reactionTakenBack>, batch: BatchContext): void {
    this.note(batch, { is: 'touched', orgId, subject: data.logId });
  }

  /** Told for every version of the comment. The owner of the post has one notice of it: as a mention while they are mentioned. */
  @Consumes({ ...source, contract: commentWritten })
  tellReadersWhenCommentWritten({ orgId, data }: Consumed<typeof commentWritten>, batch: BatchContext): void {
    const { commentId, entryId: subject, userId: actorId, ownerId, mentionedIds, writtenAt: at } = data;
    const told = { is: 'raised', orgId, subject, item: commentId, actorId, facts: { commentId }, at } as const;
    if (ownerId !== null) {
      const isMentioned = mentionedIds.includes(ownerId);
      const [kind, other] = isMentioned ? (['mention', 'comment'] as const) : (['comment', 'mention'] as const);
      this.note(batch, { is: 'withdrawn', orgId, kinds: [other], subject, item: commentId, userId: ownerId });
      this.note(batch, { ...told, to: { userId: ownerId }, kind });
    }
    for (const userId of mentionedIds) this.note(batch, { ...told, to: { userId }, kind: 'mention' });
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['mention'], subject, commentId, butUserIds: mentionedIds });
  }

  @Consumes({ ...source, contract: commentTakenDown })
  withdrawWhenCommentTakenDown({ orgId, data }: Consumed<typeof commentTakenDown>, batch: BatchContext): void {
    this.note(batch, { is: 'touched', orgId, subject: data.entryId });
  }

  /** Whoever had been told of it finds it again; it is no news. */
  @Consumes({ ...source, contract: commentShownAgain })
  countAnewWhenCommentShownAgain({ orgId, data }: Consumed<typeof commentShownAgain>, batch: BatchContext): void {
    this.note(batch, { is: 'touched', orgId, subject: data.entryId });
  }

  @Consumes({ ...source, contract: ballotOpened })
  tellTeamWhenBallotOpened({ orgId, data }: Consumed<typeof ballotOpened>, batch: BatchContext): void {
    const { ballotId, teamId, openedAt, endsAt } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { teamId },
      kind: 'ballot-opened',
      subject: ballotId,
      item: 'opened',
      at: openedAt,
      expiresAt: endsAt,
    });
  }

  @Consumes({ ...source, contract: voteCast })
  withdrawWhenVoteCast({ orgId, data }: Consumed<typeof voteCast>, batch: BatchContext): void {
    const { ballotId: subject, userId } = data;
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['ballot-opened', 'ballot-ending'], subject, userId });
  }

  @Consumes({ ...source, contract: ballotDecided })
  withdrawWhenBallotDecided({ orgId, data }: Consumed<typeof ballotDecided>, batch: BatchContext): void {
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['ballot-opened', 'ballot-ending'], subject: data.ballotId });
  }

  @Consumes({ ...source, contract: weeklyRecapBuilt })
  tellEverybodyWhenWeeklyRecapBuilt({ orgId, data }: Consumed<typeof weeklyRecapBuilt>, batch: BatchContext): void {
    const { recapId, weekStartsOn, weekEndsOn, builtAt: at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: 'everybody',
      kind: 'recap-ready',
      subject: recapId,
      item: 'built',
      at,
      facts: { weekStartsOn },
      expiresAt: `${addDays(weekEndsOn, 8)}T00:00:00.000Z`,
    });
  }

  private note(batch: BatchContext, change: NoticeChange): void {
    batch.enqueueWrite(writeNotices, change);
    batch.afterCommit(() => this.announcer.soon());
  }
}
