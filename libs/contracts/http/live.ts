import { z } from 'zod';
import { isLiveTopic, liveTopics, type LiveTopic } from '../domain/live-topics.ts';
import { nameOptionsSchema } from './ballots.ts';
import { activityFeedItemSchema } from './activity-feed.ts';
import { challengeProgressSchema, bonusChallengeSchema, weeklyChallengesSchema } from './challenges.ts';
import { commentSchema } from './comments.ts';
import { feedSchema, reactionCountsSchema } from './feed.ts';
import { journeySchema } from './journeys.ts';
import { cursorSchema } from './paging.ts';
import { dashboardStatsSchema, leaderboardSchema } from './scores.ts';

/** What changed; a client refetches what it shows of it (D35). */
export const liveKinds = [
  'me',
  'stats',
  'board',
  'feed',
  'comments',
  'logs',
  'branding',
  'people',
  'members',
  'teams',
  'badges',
  'challenges',
  'journey',
  'ballots',
  'reactions',
  'notifications',
  'recaps',
  'devices',
] as const;
export type LiveKind = (typeof liveKinds)[number];

/** Only admins can read what changed, so nobody else is told. */
export const adminKinds: ReadonlySet<LiveKind> = new Set(['members']);

/** `first`: given by a page that has not listened before. It is told what others were told just before it came. */
export const liveQuerySchema = z.object({ shows: z.string().optional(), first: z.string().optional() });
export const topicsOf = (shows: string): LiveTopic[] => shows.split(',').filter(isLiveTopic);

const newestPostsSchema = z.object({ posts: feedSchema, next: cursorSchema.nullable() });
const newestActivitiesSchema = z.object({
  activities: z.array(activityFeedItemSchema),
  next: cursorSchema.nullable(),
});
/** How a thread stands, and which of its comments were written or changed just now, and which nobody else may see now. */
const threadSchema = z.object({
  entryId: z.string(),
  count: z.int(),
  /** Oldest first; null: more than travel with the news, they have to be asked for. */
  changed: z.array(commentSchema).nullable(),
  gone: z.array(z.string()),
});

/** Replaces what the page has of each topic; a field that is absent stays as it is. */
export const liveShownSchema = z
  .object({
    stats: dashboardStatsSchema.partial(),
    board: leaderboardSchema.partial(),
    'board-week': leaderboardSchema.partial(),
    journey: journeySchema
      .pick({ startedAt: true, teams: true, reached: true })
      .extend({ routeId: z.string() })
      .partial(),
    challenges: z
      .object({
        weekly: weeklyChallengesSchema,
        progress: z.record(z.string(), challengeProgressSchema.partial()),
      })
      .partial(),
    /** `isCompleted` stays false for a new one until the reader is told otherwise. */
    bonus: z
      .object({ open: bonusChallengeSchema.omit({ isCompleted: true }).nullable(), isCompleted: z.boolean() })
      .partial(),
    feed: newestPostsSchema.partial(),
    'feed-team': newestPostsSchema.partial(),
    /** Of posts of whatever age that were reacted to in the last seconds: all their counts, by id. */
    reactions: z.object({ posts: z.record(z.uuid(), reactionCountsSchema) }).partial(),
    /** Of the reader's team, sealed for who has not voted; what one chose oneself is not told. */
    ballot: z.object({ options: nameOptionsSchema.omit({ chosenName: true }).nullable() }).partial(),
    activities: newestActivitiesSchema.partial(),
    'activities-team': newestActivitiesSchema.partial(),
    /** Threads that changed in the last seconds; `isMine` is false throughout. */
    comments: z.object({ threads: z.array(threadSchema) }).partial(),
  } satisfies Record<LiveTopic, z.ZodObject>)
  .partial();
export type LiveShown = z.infer<typeof liveShownSchema>;

const kindsSchema = z.array(z.enum(liveKinds));

export const liveMessageSchema = z.object({
  kinds: kindsSchema,
  own: kindsSchema.optional(),
  teams: z.record(z.uuid(), kindsSchema).optional(),
  /** What the page shows of it, as a GET would answer now: nothing of this is to be asked for. */
  shown: liveShownSchema.optional(),
  pages: z.int().nonnegative().optional(),
  /** How many milliseconds before this page listened it was told: news for who asked before that. */
  missed: z.int().nonnegative().optional(),
  /** Last message. `replaced`: too many pages (D38), come back when the person does; `stopping`: after `retry`. */
  ended: z.enum(['replaced', 'stopping']).optional(),
});
export type LiveMessage = z.infer<typeof liveMessageSchema>;

export const liveFramesSchema = z
  .string()
  .regex(/^(retry: \d+\n\n|: [^\n]*\n\n|(id: \d+\n)?data: \{[^\n]*\}\n\n)*$/)
  .meta({
    description: 'Server-sent events. The data of each is a JSON object as described under x-data.',
    examples: ['retry: 1000\n\n: open\n\nid: 1\ndata: {"kinds":["board","feed"]}\n\n: still here\n\n'],
    'x-data': z.toJSONSchema(liveMessageSchema),
  });

/** `all` is as a stranger sees it, `some` adds for a few, `ask` sees something else and asks; `only`: who wanted it. */
export const livePartSchema = z.object({
  topic: z.enum(liveTopics),
  /** By Redis' clock before anything was read: an older part than the last one is old news. */
  turn: z.number(),
  all: z.record(z.string(), z.unknown()),
  some: z.array(z.object({ to: z.array(z.string()), data: z.record(z.string(), z.unknown()) })),
  ask: z.array(z.string()),
  only: z.array(z.string()).optional(),
});
export type LivePart = z.infer<typeof livePartSchema>;

export const liveAnnouncementSchema = liveMessageSchema
  .omit({ ended: true, own: true, shown: true, missed: true })
  .extend({
    persons: z.record(z.uuid(), kindsSchema).optional(),
    parts: z.array(livePartSchema).optional(),
  });
export type LiveAnnouncement = z.infer<typeof liveAnnouncementSchema>;

export const openPagesSchema = z.object({
  /** Milliseconds since 1970; a gateway that has not said so again by then is gone. */
  until: z.number(),
  pages: z.int(),
  groups: z.array(z.object({ topics: z.array(z.enum(liveTopics)), readers: z.array(z.string()) })),
});
export type OpenPagesNote = z.infer<typeof openPagesSchema>;

export const liveWantedSchema = z.object({
  /** Every process of a service receives it, and one of them answers. */
  id: z.uuid(),
  orgId: z.uuid(),
  wanted: z.array(z.object({ topics: z.array(z.enum(liveTopics)), readers: z.array(z.string()) })),
});
export type LiveWanted = z.infer<typeof liveWantedSchema>;
