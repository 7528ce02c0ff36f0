import { z } from 'zod';
import { forgottenActivityName } from './activities.ts';
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

export const integrationsEvents = {
  WorkoutImported: workoutImported,
  WorkoutRetracted: workoutRetracted,
  PlatformDisconnected: platformDisconnected,
};
