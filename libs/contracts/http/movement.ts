import { z } from 'zod';
import { sourceSchema, typedText } from '../fields.ts';

const maximumMinutes = 1440;

/** The four activities the timer offers first, with the pace that estimates the distance covered (9.2). */
export const presetActivities = [
  { name: 'Walking', emoji: '🚶', description: 'A stroll, the way to work, a walk with the dog', minutesPerMile: 15 },
  { name: 'Running', emoji: '🏃', description: 'A jog, a sprint, a run for the bus', minutesPerMile: 8 },
  { name: 'Biking', emoji: '🚴', description: 'Outdoors, to the shops, or on a trainer', minutesPerMile: 4 },
  { name: 'Stretching', emoji: '🧘', description: 'At the desk, on the mat, before bed', minutesPerMile: 20 },
] as const;

export const moreActivities = [
  'Yoga',
  'Swimming',
  'Hiking',
  'Dancing',
  'Rock Climbing',
  'Tennis',
  'Basketball',
  'Soccer',
  'Volleyball',
  'Golf',
  'Weightlifting',
  'Boxing',
  'Kayaking',
  'Skiing',
  'Surfing',
] as const;

/** Pace of anything that is not a preset, in minutes per mile (9.2). */
export const customMinutesPerMile = 15;

const sourceOfRequestSchema = z.enum(['timer', 'manual'], { error: 'Source must be timer or manual' });

export const logRequestSchema = z
  .object({
    activityType: z
      .string({ error: 'Activity type is required' })
      .pipe(typedText(60, { tooLong: 'Activity type must be at most 60 characters' }))
      .refine((name) => /[^\s\p{Cf}]/u.test(name), 'Activity type is required'),
    durationMinutes: z
      .number({ error: 'Duration must be a whole number of minutes' })
      .int('Duration must be a whole number of minutes')
      .max(maximumMinutes, 'Duration must be at most 1440 minutes'),
    source: sourceOfRequestSchema.default('manual'),
    startedAt: z.iso.datetime({ offset: true, error: 'Invalid date format' }).optional(),
    distanceMiles: z.number().nonnegative().optional(),
    location: typedText(120).optional(),
    photoPrompt: typedText(2000, { lines: true }).optional(),
    photoPath: z.string().max(512).optional(),
    bonusChallengeId: z.string().max(64).optional(),
  })
  .superRefine(({ durationMinutes, source }, context) => {
    if (source === 'manual' && durationMinutes < 10)
      context.addIssue({ code: 'custom', path: ['durationMinutes'], message: 'Duration must be at least 10 minutes' });
    if (source === 'timer' && durationMinutes < 1)
      context.addIssue({ code: 'custom', path: ['durationMinutes'], message: 'Activity must be at least 1 minute to log.' });
  });
export type LogRequest = z.infer<typeof logRequestSchema>;

export const logAnswerSchema = z.object({
  id: z.string(),
  milesEarned: z.number(),
  multiplier: z.number(),
  totalMiles: z.number(),
  bonusApplied: z.boolean(),
  /** Why a named bonus challenge did not apply; absent when none was named or it did. */
  bonusReason: z.string().optional(),
});
export type LogAnswer = z.infer<typeof logAnswerSchema>;

export const ownLogSchema = z.object({
  id: z.string(),
  activityType: z.string(),
  durationMinutes: z.number().int(),
  distanceMiles: z.number(),
  multiplier: z.number(),
  source: sourceSchema,
  caption: z.string().nullable(),
  location: z.string().nullable(),
  startedAt: z.string(),
  loggedOn: z.string(),
  createdAt: z.string(),
});
export const ownLogsSchema = z.array(ownLogSchema);
export type OwnLog = z.infer<typeof ownLogSchema>;
