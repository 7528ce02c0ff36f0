import { z } from 'zod';
import { forgottenActivityName } from '../domain/movement/activities.ts';
import { publicEvent } from './envelope.ts';
import { durationMinutesSchema, importSourceSchema } from './fields.ts';

/**
 * A workout counts from now on, as it is told here; a later revision of the same log replaces it whole.
 * One that counts again after it was retracted is another log.
 */
export const workoutImported = publicEvent(
  'WorkoutImported',
  1,
  z.object({
    /** The log that it becomes. */
    logId: z.uuid(),
    userId: z.uuid(),
    source: importSourceSchema,
    /** 1 is the first telling; tells an old one that comes late. */
    revision: z.number().int().min(1),
    activityType: z.string().min(1).max(60),
    startedAt: z.iso.datetime(),
    durationMinutes: durationMinutesSchema,
    /** Covered, as the platform measured it; null where it did not. */
    meters: z.number().int().nonnegative().nullable(),
    /** 'owner': nobody else is shown it, whatever the owner's privacy (D21). */
    audience: z.enum(['organisation', 'owner']),
    /** False: it earns nothing, because its owner has not consented to be scored by it (D21). */
    isScored: z.boolean(),
    /** Beats a minute, on average. */
    heartRate: z.number().int().positive().nullable(),
    /** Kilocalories. */
    calories: z.number().int().nonnegative().nullable(),
    importedAt: z.iso.datetime(),
    /** Since when it could be credited; decides which of two recordings of a workout counts (D25). Absent: since `importedAt`. */
    creditableAt: z.iso.datetime().optional(),
    /** Its owner has said that it counts beside other recordings of the same time (D25). */
    countsBeside: z.literal(true).optional(),
  }),
  { activityType: forgottenActivityName, meters: null, heartRate: null, calories: null },
);

/** The log of an imported workout goes, and what it earned with it. */
export const workoutRetracted = publicEvent(
  'WorkoutRetracted',
  1,
  z.object({
    logId: z.uuid(),
    userId: z.uuid(),
    /** Gone at the platform or deleted here as the same of another one, disconnected with its imports, or the same as another one (D25). */
    why: z.enum(['deleted', 'disconnected', 'duplicate']),
    retractedAt: z.iso.datetime(),
    /**
     * It is gone at that platform and no other recording takes its place; `isScored`: what it earned is taken back.
     * Absent: the member took it away here, or another recording counts.
     */
    goneAt: z.object({ platform: importSourceSchema, isScored: z.boolean() }).optional(),
  }),
);

/** A member's account at a platform is gone from here; its owner is told so by mail (D21). */
export const platformDisconnected = publicEvent(
  'PlatformDisconnected',
  1,
  z.object({
    userId: z.uuid(),
    source: importSourceSchema,
    /** Here by its owner, or at the platform. */
    why: z.enum(['asked', 'revoked']),
    /** With all that it had earned. */
    areImportsRemoved: z.boolean(),
    disconnectedAt: z.iso.datetime(),
  }),
);

/** What an account that was connected, or connected anew, held of its first 30 days is here. */
export const firstSyncCompleted = publicEvent(
  'FirstSyncCompleted',
  1,
  z.object({
    userId: z.uuid(),
    source: importSourceSchema,
    /** That had not been here before. */
    workouts: z.number().int().nonnegative(),
    completedAt: z.iso.datetime(),
  }),
);

/** What a member has at a platform could not be fetched while they did not look; told once until it can be again. */
export const syncFailed = publicEvent(
  'SyncFailed',
  1,
  z.object({
    userId: z.uuid(),
    source: importSourceSchema,
    /** 'reconnect': it lets nobody read until its member connects it anew. */
    why: z.enum(['reconnect', 'unreachable', 'busy', 'unreadable']),
    failedAt: z.iso.datetime(),
  }),
);

/** It can be fetched again, by itself. */
export const syncRecovered = publicEvent(
  'SyncRecovered',
  1,
  z.object({ userId: z.uuid(), source: importSourceSchema, recoveredAt: z.iso.datetime() }),
);

export const integrationsEvents = {
  WorkoutImported: workoutImported,
  WorkoutRetracted: workoutRetracted,
  PlatformDisconnected: platformDisconnected,
  FirstSyncCompleted: firstSyncCompleted,
  SyncFailed: syncFailed,
  SyncRecovered: syncRecovered,
};
