import { milesKinds } from '../domain/movement/miles.ts';
import { z } from 'zod';
import { localDateSchema } from '../events/fields.ts';

export const teamProgressSchema = z.object({
  id: z.string(),
  name: z.string(),
  emoji: z.string(),
  miles: z.number(),
  goalMiles: z.number(),
});

export const recentActivitySchema = z.object({
  id: z.string(),
  teamEmoji: z.string(),
  userName: z.string(),
  profileId: z.string().nullable(),
  activityType: z.string(),
  miles: z.number(),
  /** English, for clients that show it as it is; the web app formats `createdAt` itself. */
  timeAgo: z.string(),
  createdAt: z.string(),
});

export const dashboardStatsSchema = z.object({
  userRank: z.number().int().nullable(),
  weeklyMiles: z.number(),
  recentActivities: z.array(recentActivitySchema),
  teamProgress: z.array(teamProgressSchema),
});
export type DashboardStats = z.infer<typeof dashboardStatsSchema>;

export const boardPeriods = ['all', 'week'] as const;
export type BoardPeriod = (typeof boardPeriods)[number];
export const leaderboardQuerySchema = z.object({
  period: z.enum(boardPeriods, { error: `period must be one of ${boardPeriods.join(', ')}` }).default('all'),
});

export const boardUserSchema = z.object({
  id: z.string(),
  profileId: z.string().nullable(),
  rank: z.number().int(),
  name: z.string(),
  teamName: z.string(),
  teamEmoji: z.string(),
  photoUrl: z.string().nullable(),
  totalMiles: z.number(),
  weeklyMiles: z.number(),
});

export const boardTeamSchema = z.object({
  id: z.string(),
  rank: z.number().int().nullable(),
  name: z.string(),
  emoji: z.string(),
  memberCount: z.number().int(),
  totalMiles: z.number(),
  weeklyMiles: z.number(),
  averageMiles: z.number(),
});

export const leaderboardSchema = z.object({
  users: z.array(boardUserSchema),
  teams: z.array(boardTeamSchema),
  userPosition: z.number().int().nullable(),
  teamPosition: z.number().int().nullable(),
  /** The caller's row with up to two neighbours on each side; empty without miles. */
  around: z.array(boardUserSchema),
});
export type Leaderboard = z.infer<typeof leaderboardSchema>;

/** The running week and those before it. */
export const boardWeeksCount = 12;

export const boardWeeksSchema = z.object({
  /** Mondays in the organisation's time zone, the earliest first; the running week is the last (D10). */
  weeks: z.array(localDateSchema),
  /** The caller's own place and total at the end of each finished week in which they had miles (D12). */
  ranks: z.array(z.object({ weekStartsOn: localDateSchema, rank: z.number().int(), miles: z.number() })),
  /** The first ten teams of the board and the caller's own; a figure for each of the weeks. */
  teams: z.array(z.object({ id: z.string(), name: z.string(), emoji: z.string(), miles: z.array(z.number()) })),
});
export type BoardWeeks = z.infer<typeof boardWeeksSchema>;

export const milesEntrySchema = z.object({
  at: z.string(),
  /** The local date that the miles count for (D10). */
  on: localDateSchema,
  kind: z.enum(milesKinds),
  miles: z.number(),
  logId: z.string().optional(),
  explanation: z.string(),
});
export type MilesEntry = z.infer<typeof milesEntrySchema>;

export const milesSchema = z.object({
  entries: z.array(milesEntrySchema),
  /** What every date of this page adds up to, entries of other pages included. */
  days: z.array(z.object({ on: localDateSchema, miles: z.number() })),
  totalMiles: z.number(),
});
export type Miles = z.infer<typeof milesSchema>;

/** A leap year and the weeks around it: no chart shows more at once. */
export const mostDaysAtOnce = 400;

export const ownDaysQuerySchema = z.object({
  /** Absent: the Monday of eleven weeks before `to`. */
  from: localDateSchema.optional(),
  /** Absent: today. */
  to: localDateSchema.optional(),
});
export type OwnDaysQuery = z.infer<typeof ownDaysQuerySchema>;

export const ownDaysSchema = z.object({
  /** The first date that was asked for. */
  from: localDateSchema,
  /** The last one. */
  to: localDateSchema,
  /** In the organisation's time zone (D10). */
  today: localDateSchema,
  /** Dates with miles or movements, the earliest first; every other date of the span has neither. */
  days: z.array(z.object({ on: localDateSchema, miles: z.number(), movements: z.number().int() })),
  /** Dates without movement on which a freeze kept the streak (D11). */
  restDays: z.array(localDateSchema),
});
export type OwnDays = z.infer<typeof ownDaysSchema>;
