import { z } from 'zod';
import { pageQuerySchema } from './paging.ts';

/** As the specification calls them; `fitbit` speaks the Google Health API (D22). */
export const fitnessProviders = ['strava', 'fitbit'] as const;
export const fitnessProviderSchema = z.enum(fitnessProviders);
export type FitnessProvider = z.infer<typeof fitnessProviderSchema>;

/** So far back goes what is fetched of somebody who connects. */
export const backfillDays = 30;

/** Further back nothing is fetched from an account. */
export const oldestFetchedOf = (connectedAt: Date): Date =>
  new Date(connectedAt.getTime() - backfillDays * 24 * 60 * 60_000);

export const fitnessWords = {
  notSetUp: 'Your administrator has not set up this platform.',
  nothingConnected: 'Connect Strava or Fitbit first.',
  notConnected: 'This platform is not connected.',
} as const;

export const fitnessStatusSchema = z.object({
  strava: z.object({ connected: z.boolean(), athleteId: z.string().nullable() }),
  fitbit: z.object({ connected: z.boolean(), userId: z.string().nullable() }),
  lastSyncDate: z.string().nullable(),
});
export type FitnessStatus = z.infer<typeof fitnessStatusSchema>;

/** `scored`: what is imported may earn miles (D21). `from`: the screen that the browser comes back to. */
export const connectQuerySchema = z.object({
  scored: z.enum(['true', 'false']).default('false'),
  from: z.enum(['account-settings', 'settings']).default('account-settings'),
});
export const connectAnswerSchema = z.object({ authUrl: z.string() });

/** What the platform sends the browser back with; all of it is untrusted. */
export const callbackQuerySchema = z.object({
  state: z.string().max(200).optional(),
  code: z.string().max(2000).optional(),
  scope: z.string().max(2000).optional(),
  error: z.string().max(200).optional(),
});

/** Why a browser comes back unconnected: `?failed={provider}&why=`. */
export const connectFailures = ['refused', 'scope', 'expired', 'taken', 'another', 'unreachable'] as const;
export type ConnectFailure = (typeof connectFailures)[number];

export const syncAnswerSchema = z.object({ syncedActivities: z.number().int().nonnegative() });

export const fitnessAccountSchema = z.object({
  provider: fitnessProviderSchema,
  /** 'reconnect': the platform takes its tokens no longer, or has moved (410). */
  state: z.enum(['not-set-up', 'not-connected', 'connected', 'reconnect']),
  providerUserId: z.string().nullable(),
  connectedAt: z.string().nullable(),
  lastSyncedAt: z.string().nullable(),
  isScored: z.boolean(),
  /** 'owner': what is imported from here is never shown to others (D21). */
  audience: z.enum(['organisation', 'owner']),
  /** Imports that exist now. */
  importCount: z.number().int().nonnegative(),
  /** Of the first 30 days, while they are fetched. */
  backfill: z.object({ daysDone: z.number().int(), days: z.number().int() }).nullable(),
});
export const fitnessAccountsSchema = z.array(fitnessAccountSchema);
export type FitnessAccount = z.infer<typeof fitnessAccountSchema>;

export const fitnessConsentRequestSchema = z.object({ isScored: z.boolean() });

export const disconnectQuerySchema = z.object({ deleteImported: z.enum(['true', 'false']).default('false') });
export const disconnectedSchema = z.object({ disconnected: z.literal(true), removedActivities: z.number().int() });

/** 'removed': its member has deleted its log. */
export const skipReasons = ['too-short', 'too-old', 'duplicate', 'unreadable', 'in-future', 'removed'] as const;
export type SkipReason = (typeof skipReasons)[number];

export const syncRunSchema = z.object({
  id: z.string(),
  provider: fitnessProviderSchema,
  /** 'notice': the platform told us of something new. */
  cause: z.enum(['connect', 'asked', 'notice', 'nightly', 'catch-up']),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  imported: z.number().int(),
  updated: z.number().int(),
  removed: z.number().int(),
  skipped: z.array(z.object({ why: z.enum(skipReasons), count: z.number().int() })),
  failure: z.enum(['unreachable', 'busy', 'reconnect', 'unreadable']).nullable(),
});
export const syncRunsSchema = z.array(syncRunSchema);
export type SyncRun = z.infer<typeof syncRunSchema>;
export const syncRunsQuerySchema = pageQuerySchema(10);

export const importedWorkoutSchema = z.object({
  id: z.string(),
  provider: fitnessProviderSchema,
  activityType: z.string(),
  startedAt: z.string(),
  durationMinutes: z.number().int(),
  /** 'removed': its member has deleted its log by hand. */
  state: z.enum(['counted', 'unscored', 'duplicate', 'removed', 'skipped']),
  why: z.enum(skipReasons).nullable(),
  /** The log that it became; null while it counts for nothing. */
  logId: z.string().nullable(),
  /** The recording that counts in place of this duplicate: from a platform, the timer or by hand (D25). */
  sameAs: z.object({ provider: z.string(), activityType: z.string(), startedAt: z.string() }).nullable(),
});
export const importedWorkoutsSchema = z.array(importedWorkoutSchema);
export type ImportedWorkout = z.infer<typeof importedWorkoutSchema>;
export const importedWorkoutsQuerySchema = pageQuerySchema(20);

/** Overrides what was taken for a duplicate, or takes that back (D25); what was deleted by hand counts again as another log. */
export const countWorkoutRequestSchema = z.object({ counts: z.boolean() });
