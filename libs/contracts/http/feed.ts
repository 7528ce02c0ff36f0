import { z } from 'zod';
import { reactionEmojiSchema, sourceSchema } from '../events/fields.ts';
import { activityFeedItemSchema } from './activity-feed.ts';
import { pageQuerySchema } from './paging.ts';
import { shownPhotoSchema } from './photos.ts';

export const reactionCountsSchema = z.record(z.string(), z.number().int());
export type ReactionCounts = z.infer<typeof reactionCountsSchema>;

export const feedPostSchema = z.object({
  id: z.string(),
  user: z.object({
    name: z.string(),
    avatar: z.string().nullable(),
    /** Null for who hides or has left (D18). */
    profileId: z.string().nullable(),
  }),
  createdAt: z.string(),
  source: sourceSchema,
  activityType: z.string(),
  distanceMiles: z.string(),
  durationMinutes: z.number().int(),
  caption: z.string().nullable(),
  /** Of 640 pixels, signed for whoever sees the post (ADR 0057). */
  photoUrl: z.string().nullable(),
  photo: shownPhotoSchema.nullable(),
  /** Those that the reader may see (D50). */
  comments: z.number().int(),
  /** How many reacted, by emoji; one that nobody chose is absent. */
  reactions: reactionCountsSchema,
  /** One's own; absent in the live stream, which says to many what is the same for all. */
  myReactions: z.array(reactionEmojiSchema).optional(),
});
export type FeedPost = z.infer<typeof feedPostSchema>;
export const feedSchema = z.array(feedPostSchema);

/** A member's photo, with the post that it stands in. */
const galleryPhotoSchema = feedPostSchema
  .pick({ id: true, activityType: true, caption: true, createdAt: true, photo: true })
  .extend({ photoUrl: z.string() });
export type GalleryPhoto = z.infer<typeof galleryPhotoSchema>;
export const galleryPhotosSchema = z.array(galleryPhotoSchema);

/** One entry of the feeds: what a member logged, or a stop that a team has reached. */
export const feedEntrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('movement'), post: feedPostSchema }),
  z.object({ kind: z.literal('checkpoint'), activity: activityFeedItemSchema }),
]);
export type FeedEntry = z.infer<typeof feedEntrySchema>;

export const reactRequestSchema = z.object({
  movementLogId: z.string({ error: 'Choose a post' }).max(64, 'Choose a post').meta({ format: 'id' }),
  emoji: reactionEmojiSchema,
});
export type ReactRequest = z.infer<typeof reactRequestSchema>;

export const reactAnswerSchema = z.object({ action: z.enum(['added', 'removed']) });
export type ReactAnswer = z.infer<typeof reactAnswerSchema>;

export const reactionsQuerySchema = pageQuerySchema(50);

export const reactionSchema = z.object({ emoji: reactionEmojiSchema, user: feedPostSchema.shape.user });
export type Reaction = z.infer<typeof reactionSchema>;
/** Who reacted, the latest first. */
export const reactionsSchema = z.array(reactionSchema);
