import { z } from 'zod';
import { localDateSchema, reactionEmojis } from '../events/fields.ts';
import { plainText } from './comments.ts';
import { reactionCountsSchema } from './feed.ts';
import { pageQuerySchema } from './paging.ts';
import { shownPhotoSchema } from './photos.ts';

export const mostFeedbackCharacters = 500;
/** How the week felt: thrilled, happy, calm, tired, under the weather. */
export const vibeEmojis = ['🤩', '😊', '😌', '😴', '🌧️'] as const;
export type VibeEmoji = (typeof vibeEmojis)[number];

const reaction = z.enum(reactionEmojis, { error: 'Choose 💪, ❤️ or 🙌' });
const vibe = z.enum(vibeEmojis, { error: `Choose one of ${vibeEmojis.join(' ')}` });
const person = z.object({ name: z.string(), avatar: z.string().nullable(), profileId: z.string().nullable() });
const team = z.object({ teamId: z.string(), name: z.string(), emoji: z.string(), miles: z.number() });

/** What is absent stays as it was, null takes it back; an empty body says that the recap was looked at (3.17). */
export const engagementRequestSchema = z.object({
  reactionEmoji: reaction.nullable().optional(),
  vibeEmoji: vibe.nullable().optional(),
  feedbackText: plainText(mostFeedbackCharacters, 'Write your feedback first', 'Feedback has at most 500 characters')
    .nullable()
    .optional(),
});
export type EngagementRequest = z.infer<typeof engagementRequestSchema>;

export const engagementSchema = z.object({
  viewedAt: z.string().nullable(),
  reactionEmoji: reaction.nullable(),
  vibeEmoji: vibe.nullable(),
  feedbackText: z.string().nullable(),
});
export type Engagement = z.infer<typeof engagementSchema>;

/** A week in the list, the newest first. */
export const recapSummarySchema = z.object({
  id: z.string(),
  weekStartDate: z.string(),
  weekEndDate: z.string(),
  totalMiles: z.number(),
  /** Who has earned miles in that week. */
  memberCount: z.number().int(),
  topTeam: team.nullable(),
  isViewed: z.boolean(),
  createdAt: z.string(),
});
export type RecapSummary = z.infer<typeof recapSummarySchema>;
export const recapSummariesSchema = z.array(recapSummarySchema);

/** What the recap did: logins and logs of the week that it tells of, and of the week that followed (3.18). */
const recapAnalyticsSchema = z.object({
  weeklyLoginsBefore: z.number().int(),
  weeklyLoginsAfter: z.number().int().nullable(),
  newActivitiesBefore: z.number().int(),
  newActivitiesAfter: z.number().int().nullable(),
  /** In percentage points of the active members; null until the week that followed is over. */
  participationChange: z.number().nullable(),
});
export type RecapAnalytics = z.infer<typeof recapAnalyticsSchema>;
/** Feedback comes without names, in no order of time. */
export const recapEffectSchema = recapAnalyticsSchema.extend({ feedback: z.array(z.string()) });
export type RecapEffect = z.infer<typeof recapEffectSchema>;

/** The story of a week: its figures stay as they were on Monday; names and words are shown as their owners allow now. */
export const recapSchema = z.object({
  ...recapSummarySchema.omit({ topTeam: true, isViewed: true }).shape,
  previousMiles: z.number(),
  topTeams: z.array(team.extend({ previousMiles: z.number() })).max(3),
  mostImproved: z.array(z.object({ user: person, miles: z.number(), previousMiles: z.number() })).max(3),
  /** Of members who moved all week long; a freeze holds a streak, too. */
  streaks: z.object({ kept: z.number().int(), longestDays: z.number().int() }),
  checkpoints: z.array(
    z.object({
      teamName: z.string(),
      teamEmoji: z.string(),
      name: z.string(),
      routeName: z.string(),
      mileMark: z.number(),
      isLast: z.boolean(),
    }),
  ),
  challenges: z.object({
    weekly: z.array(z.object({ name: z.string(), completions: z.number().int() })),
    bonusCompletions: z.number().int(),
  }),
  badgesEarned: z.number().int(),
  featuredQuote: z.object({ text: z.string(), logId: z.string(), user: person }).nullable(),
  featuredPhotoUrl: z.string().nullable(),
  featuredPhoto: z.object({ photo: shownPhotoSchema.nullable(), logId: z.string(), user: person }).nullable(),
  own: z.object({ miles: z.number(), previousMiles: z.number() }),
  viewCount: z.number().int(),
  reactionCount: z.number().int(),
  commentCount: z.number().int(),
  /** How many chose which emoji; who, nobody is told. */
  reactions: reactionCountsSchema,
  vibes: reactionCountsSchema,
  engagement: engagementSchema,
  /** Mondays of the weeks beside it that have a recap, too. */
  previousWeek: z.string().nullable(),
  nextWeek: z.string().nullable(),
});
export type Recap = z.infer<typeof recapSchema>;

export const recapsQuerySchema = pageQuerySchema(20);
export const weekParamSchema = z.object({ week: localDateSchema });
/** Its id, or the Monday of its week. */
export const recapParamSchema = z.object({ id: z.union([z.uuid(), localDateSchema]) });
/** `own`: with the miles of whoever asks, whose own consent this is; other people are never on it. */
export const pictureQuerySchema = z.object({ own: z.enum(['true', 'false']).default('false') });
