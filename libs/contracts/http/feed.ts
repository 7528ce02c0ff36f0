import { z } from 'zod';
import { sourceSchema } from '../fields.ts';

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
  photoUrl: z.string().nullable(),
  reactions: z.record(z.string(), z.number().int()),
});
export type FeedPost = z.infer<typeof feedPostSchema>;
export const feedSchema = z.array(feedPostSchema);
