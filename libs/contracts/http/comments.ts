import { z } from 'zod';
import { typedText } from '../events/fields.ts';
import { pageQuerySchema } from './paging.ts';

export const mostCommentCharacters = 500;
export const mostMentions = 10;

/** What others read: several lines, and nothing in it turns the words beside it. */
export const plainText = (maxCharacters: number, required: string, tooLong: string) =>
  typedText(maxCharacters, { lines: true, required, tooLong });

/** What is sent stays as it was typed: nothing in it is markup. */
export const commentRequestSchema = z.object({
  text: plainText(mostCommentCharacters, 'Write a comment first', 'A comment has at most 500 characters'),
  /** Members whose `@Name` stands in the text; an id whose name does not stand there is nobody's mention. */
  mentions: z
    .array(z.uuid({ error: 'Mentions are ids of members' }), { error: 'Mentions are a list of ids' })
    .max(mostMentions, `At most ${mostMentions} members can be mentioned`)
    .default([]),
});
export type CommentRequest = z.infer<typeof commentRequestSchema>;

export const commentReasonSchema = z.object({
  reason: plainText(mostCommentCharacters, 'Give a reason', 'A reason has at most 500 characters'),
});
export type CommentReason = z.infer<typeof commentReasonSchema>;

export const commentSchema = z.object({
  id: z.string(),
  user: z.object({
    name: z.string(),
    avatar: z.string().nullable(),
    /** Null for who hides (D18). */
    profileId: z.string().nullable(),
  }),
  /** With names where members are mentioned, as the reader may see them now. */
  text: z.string(),
  /** Where in `text` the mentions stand, `@` and all, in UTF-16 units. */
  mentions: z.array(z.object({ start: z.number().int(), length: z.number().int(), profileId: z.string().nullable() })),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
  isMine: z.boolean(),
  /** Why an admin has hidden it; only its author is told. */
  hidden: z.object({ reason: z.string() }).nullable(),
});
export type Comment = z.infer<typeof commentSchema>;
export const commentsSchema = z.array(commentSchema);

export const commentsQuerySchema = pageQuerySchema(50);

export const removedCommentSchema = z.object({ removed: z.literal(true) });
export const reportedCommentSchema = z.object({ reported: z.literal(true) });
export const hiddenCommentSchema = z.object({ hidden: z.literal(true) });
export const shownCommentSchema = z.object({ shown: z.literal(true) });
export const dismissedReportsSchema = z.object({ dismissed: z.literal(true) });

/** For admins: what members have reported and nobody has hidden or dismissed yet. */
export const commentReportSchema = z.object({
  /** The thread's post or checkpoint. */
  entryId: z.string(),
  comment: commentSchema,
  reports: z.array(z.object({ reason: z.string(), reportedAt: z.string() })),
});
export type CommentReport = z.infer<typeof commentReportSchema>;
export const commentReportsSchema = z.array(commentReportSchema);

/** For admins: what is hidden, and why. */
export const concealedCommentSchema = z.object({
  entryId: z.string(),
  comment: commentSchema,
  reason: z.string(),
  hiddenAt: z.string(),
});
export type ConcealedComment = z.infer<typeof concealedCommentSchema>;
export const concealedCommentsSchema = z.array(concealedCommentSchema);

export const mentionableQuerySchema = z.object({
  /** The beginning of one of a member's names. */
  name: typedText(80).default(''),
});
/** Two members of one name are told apart by their teams. */
export const mentionableSchema = z.array(
  z.object({ id: z.string(), name: z.string(), avatar: z.string().nullable(), teamName: z.string() }),
);
export type Mentionable = z.infer<typeof mentionableSchema>;
