import { z } from 'zod';
import {
  importSourceSchema,
  localDateSchema,
  opaqueText,
  sourceSchema,
  typedInstantSchema,
  typedText,
} from '../events/fields.ts';
import { pageQuerySchema } from './paging.ts';
import { shownPhotoSchema } from './photos.ts';

const shortestMinutes = {
  timer: { minutes: 1, tooShort: 'Activity must be at least 1 minute to log.' },
  manual: { minutes: 10, tooShort: 'Duration must be at least 10 minutes' },
} as const;
const longestMinutes = 1440;
const farthestMiles = 1000;

export function durationRefusal(durationMinutes: number, source: keyof typeof shortestMinutes): string | undefined {
  if (!Number.isInteger(durationMinutes)) return 'Duration must be a whole number of minutes';
  if (durationMinutes > longestMinutes) return 'Duration must be at most 1440 minutes';
  return durationMinutes < shortestMinutes[source].minutes ? shortestMinutes[source].tooShort : undefined;
}

const sourceOfRequestSchema = z.enum(['timer', 'manual'], { error: 'Source must be timer or manual' });

const activityTypeSchema = typedText(60, {
  required: 'Activity type is required',
  tooLong: 'Activity type must be at most 60 characters',
});

const minutesSchema = z
  .number({ error: 'Duration must be a whole number of minutes' })
  .int({ error: 'Duration must be a whole number of minutes', abort: true })
  .max(longestMinutes, { error: 'Duration must be at most 1440 minutes', abort: true })
  .meta({ minimum: shortestMinutes.timer.minutes });

const coveredMilesSchema = z
  .number({ error: 'Distance must be a number of miles' })
  .nonnegative('Distance must not be negative')
  .max(farthestMiles, `Distance must be at most ${farthestMiles} miles`);

/** How hard it was, from 1 (very easy) to 5 (all out); nobody but its owner is told. */
const perceivedEffortSchema = z
  .number({ error: 'Effort must be a whole number from 1 to 5' })
  .int('Effort must be a whole number from 1 to 5')
  .min(1, 'Effort must be a whole number from 1 to 5')
  .max(5, 'Effort must be a whole number from 1 to 5');

/** The `objectPath` of a photo of one's own that no other log has. */
const photoPathSchema = opaqueText(512, 'path');

export const logRequestSchema = z
  .object({
    activityType: activityTypeSchema,
    durationMinutes: minutesSchema,
    source: sourceOfRequestSchema.default('manual'),
    startedAt: typedInstantSchema.optional(),
    distanceMiles: coveredMilesSchema.optional(),
    location: typedText(120).optional(),
    photoPrompt: typedText(2000, { lines: true }).optional(),
    photoPath: photoPathSchema.optional(),
    perceivedEffort: perceivedEffortSchema.optional(),
    bonusChallengeId: opaqueText(64, 'id').optional(),
  })
  .superRefine(({ durationMinutes, source }, context) => {
    const refusal = durationRefusal(durationMinutes, source);
    if (refusal !== undefined) context.addIssue({ code: 'custom', path: ['durationMinutes'], message: refusal });
  })
  .meta({
    // Only the timer takes less than ten minutes (D6).
    if: { properties: { source: { const: 'timer' } }, required: ['source'] },
    else: { properties: { durationMinutes: { minimum: shortestMinutes.manual.minutes } } },
  });
export type LogRequest = z.infer<typeof logRequestSchema>;

/** The log that counts in the place of another one of the same workout (D25). */
const sameWorkoutSchema = z.object({
  id: z.string(),
  source: sourceSchema,
  activityType: z.string(),
  startedAt: z.string(),
});
export type SameWorkout = z.infer<typeof sameWorkoutSchema>;

export const logAnswerSchema = z.object({
  id: z.string(),
  milesEarned: z.number(),
  multiplier: z.number(),
  totalMiles: z.number(),
  bonusApplied: z.boolean(),
  bonusReason: z.string().optional(),
  /** It earns nothing, because this log already counts for the same workout (D25). */
  sameAs: sameWorkoutSchema.optional(),
});
export type LogAnswer = z.infer<typeof logAnswerSchema>;

export const ownLogSchema = z.object({
  id: z.string(),
  activityType: z.string(),
  durationMinutes: z.number().int(),
  distanceMiles: z.number(),
  multiplier: z.number(),
  source: sourceSchema,
  /** Measured elsewhere: it can be removed here and is corrected where it was recorded. */
  isImported: z.boolean(),
  importSource: importSourceSchema.nullable(),
  /** 'owner': nobody else is shown it, whatever the owner's privacy (D21). */
  audience: z.enum(['organisation', 'owner']),
  /** Beats a minute, on average. */
  heartRate: z.number().int().nullable(),
  /** Kilocalories. */
  calories: z.number().int().nullable(),
  /** As a log or a correction takes it. */
  perceivedEffort: z.number().int().nullable(),
  caption: z.string().nullable(),
  location: z.string().nullable(),
  /** As a log or a correction takes it. */
  photoPath: z.string().nullable(),
  photoUrl: z.string().nullable(),
  photo: shownPhotoSchema.nullable(),
  /** False: it earns nothing, because the same workout counts by another log or its owner said so (D25). */
  isCounted: z.boolean(),
  /** Its owner's word on whether it counts; null: the rule decides. */
  countsByWord: z.boolean().nullable(),
  /** The recording that counts in place of this log. */
  sameAs: sameWorkoutSchema.nullable(),
  startedAt: z.string(),
  loggedOn: z.string(),
  createdAt: z.string(),
});
export const ownLogsSchema = z.array(ownLogSchema);
export type OwnLog = z.infer<typeof ownLogSchema>;

/** What is absent stays; null empties. Bounds of the minutes follow the log's source (D6, D8). */
export const correctLogRequestSchema = z.object({
  activityType: activityTypeSchema.optional(),
  durationMinutes: minutesSchema.optional(),
  startedAt: typedInstantSchema.optional(),
  distanceMiles: coveredMilesSchema.nullish(),
  location: typedText(120).nullish(),
  photoPrompt: typedText(2000, { lines: true }).nullish(),
  photoPath: photoPathSchema.nullish(),
  perceivedEffort: perceivedEffortSchema.nullish(),
  /** Overrides what was taken for the same workout as another one, or takes that back (D25). */
  counts: z.boolean().optional(),
});
export type CorrectLogRequest = z.infer<typeof correctLogRequestSchema>;

export const removedLogSchema = z.object({ removed: z.literal(true) });

export const ownLogsQuerySchema = pageQuerySchema(10).extend({
  activityType: typedText(60).optional(),
  from: localDateSchema.optional(),
  to: localDateSchema.optional(),
});
export type OwnLogsQuery = z.infer<typeof ownLogsQuerySchema>;

export const trackActivityRequestSchema = z.object({ activityName: activityTypeSchema });

export const frequentActivitySchema = z.object({
  id: z.string(),
  activityName: z.string(),
  usageCount: z.number().int(),
});
export const frequentActivitiesSchema = z.array(frequentActivitySchema);
export type FrequentActivity = z.infer<typeof frequentActivitySchema>;
