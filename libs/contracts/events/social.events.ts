import { z } from 'zod';
import { actAudited } from './audit.events.ts';
import { publicEvent } from './envelope.ts';
import { centimilesSchema, localDateSchema, reactionEmojiSchema } from './fields.ts';
import { notificationKinds } from '../domain/notification-kinds.ts';

/** What somebody was told who is erased, or of somebody who is. */
const forgottenNotice = 'Something happened';

const reaction = { logId: z.uuid(), userId: z.uuid(), authorId: z.uuid(), emoji: reactionEmojiSchema };

/** One per member, post and emoji, until it is taken back (D19); a post has the id of its log. */
export const reactionGiven = publicEvent(
  'ReactionGiven',
  1,
  z.object({
    ...reaction,
    givenAt: z.iso.datetime(),
    /** Set for a post that nobody but its author may see (D21). */
    isOwnerOnly: z.literal(true).optional(),
  }),
);

export const reactionTakenBack = publicEvent(
  'ReactionTakenBack',
  1,
  z.object({ ...reaction, takenBackAt: z.iso.datetime() }),
);

const comment = { commentId: z.uuid(), entryId: z.uuid(), userId: z.uuid() };

/** That, not what. Key: who wrote it. Told again when it is edited: `mentionedIds` are all of them then. */
export const commentWritten = publicEvent(
  'CommentWritten',
  1,
  z.object({
    ...comment,
    /** Whose post it stands below; null below a checkpoint. */
    ownerId: z.uuid().nullable(),
    mentionedIds: z.array(z.uuid()).max(10),
    writtenAt: z.iso.datetime(),
  }),
);

/** Deleted by its author, or hidden by an admin. Key: who wrote it. */
export const commentTakenDown = publicEvent(
  'CommentTakenDown',
  1,
  z.object({ ...comment, takenDownAt: z.iso.datetime() }),
);

/** What an admin had hidden can be read again. Key: who wrote it. */
export const commentShownAgain = publicEvent(
  'CommentShownAgain',
  1,
  z.object({ ...comment, shownAt: z.iso.datetime() }),
);

const ballot = { ballotId: z.uuid(), teamId: z.uuid() };

export const ballotOpened = publicEvent(
  'BallotOpened',
  1,
  z.object({ ...ballot, openedAt: z.iso.datetime(), endsAt: z.iso.datetime() }),
);

export const ballotRescheduled = publicEvent('BallotRescheduled', 1, z.object({ ...ballot, endsAt: z.iso.datetime() }));

/** That somebody voted; for what, nobody is told. */
export const voteCast = publicEvent(
  'VoteCast',
  1,
  z.object({ ...ballot, userId: z.uuid(), votedAt: z.iso.datetime() }),
);

/** Identity renames the team: to the first of these names that no other team has (D20). */
export const ballotDecided = publicEvent(
  'BallotDecided',
  1,
  z.object({
    ...ballot,
    /** Those that got votes, the winner first. */
    names: z.array(z.string()).max(5),
    decidedAt: z.iso.datetime(),
  }),
);

/**
 * A notice stands in the receiver's centre; never of a kind that they mute. Key: the receiver. Told again with the same
 * `noticeId` whenever what an unread one says has changed: with a larger `count` something was added to it, else its new
 * text takes the place of the old one in whatever is not sent yet, and nobody is told anew.
 */
export const notificationDue = publicEvent(
  'NotificationDue',
  1,
  z.object({
    noticeId: z.uuid(),
    userId: z.uuid(),
    kind: z.enum(notificationKinds),
    /** Plain, as the centre shows it. */
    text: z.string().max(300),
    /** The same for those who chose kilometres, where it tells a distance; absent: `text` fits everybody. */
    metricText: z.string().max(300).optional(),
    /** Of the members whose names stand in the text; once one of them is erased it is not to be said any more. */
    namedIds: z.array(z.uuid()).max(5),
    /** Inside the app, as `notificationLinks` spells it. */
    link: z.string().startsWith('/'),
    count: z.number().int().positive(),
    raisedAt: z.iso.datetime(),
    /** Later nobody needs to be told. */
    expiresAt: z.iso.datetime().nullable(),
  }),
  { text: forgottenNotice, metricText: forgottenNotice },
);

/** Nobody is to be told of them any more: they were read, or what they spoke of is gone. Key: the receiver. */
export const notificationsSettled = publicEvent(
  'NotificationsSettled',
  1,
  z.object({
    userId: z.uuid(),
    noticeIds: z.array(z.uuid()).min(1).max(500),
    why: z.enum(['read', 'withdrawn']),
    settledAt: z.iso.datetime(),
  }),
);

/** The story of the organisation's last week can be read (D28). Of older weeks that are made up for nobody is told. */
export const weeklyRecapBuilt = publicEvent(
  'WeeklyRecapBuilt',
  1,
  z.object({
    recapId: z.uuid(),
    weekStartsOn: localDateSchema,
    weekEndsOn: localDateSchema,
    centimiles: centimilesSchema,
    /** Who has earned miles in that week. */
    memberCount: z.number().int().nonnegative(),
    topTeams: z.array(z.object({ teamId: z.uuid(), name: z.string(), centimiles: centimilesSchema })).max(3),
    builtAt: z.iso.datetime(),
  }),
);

export const socialEvents = {
  ReactionGiven: reactionGiven,
  ReactionTakenBack: reactionTakenBack,
  BallotOpened: ballotOpened,
  BallotRescheduled: ballotRescheduled,
  VoteCast: voteCast,
  BallotDecided: ballotDecided,
  CommentWritten: commentWritten,
  CommentTakenDown: commentTakenDown,
  CommentShownAgain: commentShownAgain,
  NotificationDue: notificationDue,
  NotificationsSettled: notificationsSettled,
  WeeklyRecapBuilt: weeklyRecapBuilt,
  ActAudited: actAudited,
};
