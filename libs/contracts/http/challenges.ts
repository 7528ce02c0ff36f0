import { z } from 'zod';
import { challengeTypes, targetUnits } from '../domain/choices.ts';
import { localDateSchema, opaqueText, typedText } from '../events/fields.ts';

export const weeklyChallengeSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  targetValue: z.number(),
  targetUnit: z.enum(targetUnits),
  bonusMiles: z.number(),
  challengeType: z.enum(challengeTypes),
  /** Monday and Sunday in the organisation's time zone. */
  weekStart: localDateSchema,
  weekEnd: localDateSchema,
});
export const weeklyChallengesSchema = z.array(weeklyChallengeSchema);
export type WeeklyChallenge = z.infer<typeof weeklyChallengeSchema>;

export const challengeProgressSchema = z.object({
  /** The caller's or the team's, in `targetUnit`. */
  currentProgress: z.number(),
  targetValue: z.number(),
  bonusAwarded: z.boolean(),
});
export type ChallengeProgress = z.infer<typeof challengeProgressSchema>;

export const challengeCompletedSchema = z.object({ completed: z.boolean() });

export const challengeTemplateSchema = z.object({
  id: opaqueText(64, 'id').optional(),
  name: typedText(60, { required: 'Name is required', tooLong: 'Name must be at most 60 characters' }),
  description: typedText(200, { tooLong: 'Description must be at most 200 characters' }),
  targetValue: z
    .number({ error: 'Target must be a number' })
    .positive('Target must be more than 0')
    .max(100_000, 'Target must be at most 100000')
    .multipleOf(0.01, 'Target has at most two decimals'),
  targetUnit: z.enum(targetUnits, { error: `Unit must be one of ${targetUnits.join(', ')}` }),
  bonusMiles: z
    .number({ error: 'Bonus must be a number of miles' })
    .nonnegative('Bonus must not be negative')
    .max(100, 'Bonus must be at most 100 miles')
    .multipleOf(0.01, 'Bonus has at most two decimals'),
  challengeType: z.enum(challengeTypes, { error: 'Type must be individual or team' }),
  isActive: z.boolean({ error: 'isActive is true or false' }).default(true),
});
export type ChallengeTemplate = z.infer<typeof challengeTemplateSchema>;

/** Replaces the whole list; weeks that have begun keep their challenges. */
export const challengeTemplatesRequestSchema = z
  .array(challengeTemplateSchema)
  .max(30, 'At most 30 templates')
  .refine(hasEveryKind, 'Keep at least one active individual distance, individual day and team challenge')
  .meta({
    allOf: [
      { contains: active({ challengeType: 'individual', targetUnit: 'miles' }) },
      { contains: active({ challengeType: 'individual', targetUnit: 'days' }) },
      { contains: active({ challengeType: 'team' }) },
    ],
  });
export const challengeTemplatesSchema = z.array(challengeTemplateSchema.required());

function active(kind: Readonly<Record<string, string>>) {
  const fields = Object.entries(kind).map(([name, value]) => [name, { const: value }]);
  return {
    type: 'object',
    properties: { isActive: { const: true }, ...(Object.fromEntries(fields) as object) },
    required: ['isActive', ...Object.keys(kind)],
  };
}

function hasEveryKind(templates: readonly z.infer<typeof challengeTemplateSchema>[]): boolean {
  const active = templates.filter(({ isActive }) => isActive);
  const some = (type: string, unit?: string) =>
    active.some((one) => one.challengeType === type && (unit === undefined || one.targetUnit === unit));
  return some('individual', 'miles') && some('individual', 'days') && some('team');
}

export const bonusChallengeSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  activityType: z.string(),
  targetDurationMinutes: z.number().int(),
  targetDistanceMiles: z.number().nullable(),
  multiplier: z.number(),
  expiresAt: z.string(),
  isActive: z.boolean(),
  isCompleted: z.boolean(),
});
export const openBonusChallengeSchema = bonusChallengeSchema.nullable();
export type BonusChallenge = z.infer<typeof bonusChallengeSchema>;
