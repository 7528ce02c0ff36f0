import { z } from 'zod';
import { reactionEmojiSchema } from '../events/fields.ts';
import { shownPhotoSchema } from './photos.ts';

/** 3.43; beside it `kind`, `profileId`, `photo`, `myReactions` and `checkpoint`. */
export const activityFeedItemSchema = z.object({
  id: z.string(),
  kind: z.enum(['movement', 'checkpoint']),
  /** The team's name where a team has reached a checkpoint. */
  userName: z.string(),
  userPhotoUrl: z.string().nullable(),
  /** Null for who hides or has left (D18), and for teams. */
  profileId: z.string().nullable(),
  teamName: z.string(),
  teamEmoji: z.string(),
  activityType: z.string(),
  durationMinutes: z.number().int(),
  /** Credited miles with two decimals; of a checkpoint its mile mark. */
  distanceMiles: z.string(),
  photoPrompt: z.string().nullable(),
  photoUrl: z.string().nullable(),
  photo: shownPhotoSchema.nullable(),
  location: z.string().nullable(),
  createdAt: z.string(),
  /** English, for clients that show it as it is; the web app formats `createdAt` itself. */
  timeAgo: z.string(),
  reactions: z.object({ likes: z.number().int(), comments: z.number().int() }),
  /** Absent where many are told the same; of a checkpoint none. */
  myReactions: z.array(reactionEmojiSchema).optional(),
  heartRate: z.number().nullable(),
  calories: z.number().nullable(),
  bonusChallengeId: z.string().nullable(),
  isBonusChallenge: z.boolean(),
  checkpoint: z
    .object({ name: z.string(), routeName: z.string(), mileMark: z.number(), isLast: z.boolean() })
    .nullable(),
});
export type ActivityFeedItem = z.infer<typeof activityFeedItemSchema>;

export const activityFeedSchema = z.object({ activities: z.array(activityFeedItemSchema), hasMore: z.boolean() });
export type ActivityFeed = z.infer<typeof activityFeedSchema>;
