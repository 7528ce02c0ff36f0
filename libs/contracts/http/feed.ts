import { z } from 'zod';
import { sourceSchema } from '../fields.ts';

export const feedPostSchema = z.object({
  /** The id of the log. */
  id: z.string(),
  user: z.object({
    name: z.string(),
    avatar: z.string().nullable(),
    /** Of the profile that the name leads to; null for who hides or has left (D18). */
    profileId: z.string().nullable(),
  }),
  createdAt: z.string(),
  source: sourceSchema,
  activityType: z.string(),
  /** Miles as text with two decimals. */
  distanceMiles: z.string(),
  durationMinutes: z.number().int(),
  caption: z.string().nullable(),
  photoUrl: z.string().nullable(),
  /** Emoji to count; only those given at least once. */
  reactions: z.record(z.string(), z.number().int()),
});
export type FeedPost = z.infer<typeof feedPostSchema>;
export const feedSchema = z.array(feedPostSchema);
