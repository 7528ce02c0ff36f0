import { z } from 'zod';
import { localDateSchema } from '../events/fields.ts';

/** How many finished weeks may be asked for. */
const analyticsWeeks = ['4', '12', '26'] as const;
export const analyticsQuerySchema = z.object({
  weeks: z
    .enum(analyticsWeeks, { error: `Choose one of ${analyticsWeeks.join(', ')} weeks` })
    .default('12')
    .transform(Number),
});
export type AnalyticsQuery = z.infer<typeof analyticsQuerySchema>;

/** A count of people as it may be told: exact where both ends are equal (ADR 0054). Null: too few people. */
const toldSchema = z.object({ atLeast: z.number().int(), atMost: z.number().int() }).nullable();
/** In per cent. `times`: of about how many, in tens. */
const shareSchema = z
  .object({ atLeast: z.number().int(), atMost: z.number().int(), times: z.number().int() })
  .nullable();
export type ToldShare = z.infer<typeof shareSchema>;

/**
 * What admins see of their organisation: sums, of five people at least. Weeks are over and begin on the organisation's
 * Monday; the oldest comes first.
 */
export const analyticsSchema = z.object({
  weeks: z.number().int(),
  from: localDateSchema,
  until: localDateSchema,
  /** Active today. */
  members: z.number().int().nullable(),
  /** Counts those who were members when the week began. */
  participation: z.array(
    z.object({ weekStartsOn: localDateSchema, members: z.number().int().nullable(), moved: toldSchema }),
  ),
  /** Who began in these weeks, and how many of them moved one week later, two weeks later, and so on. */
  retention: z.array(
    z.object({
      firstWeek: localDateSchema,
      lastWeek: localDateSchema,
      people: z.number().int(),
      moved: z.array(toldSchema),
    }),
  ),
  logs: z.object({
    /** Null: fewer than five people logged. Of days, or a day that would give another one away. */
    weeks: z.array(
      z.object({
        weekStartsOn: localDateSchema,
        logs: z.number().int().nullable(),
        days: z.array(z.number().int().nullable()),
      }),
    ),
    total: z.number().int(),
    /** From the product's list; most logs first. */
    activities: z.array(z.object({ activity: z.string(), logs: z.number().int() })),
    /** Of own names, and of what fewer than five people did in a week. */
    others: z.number().int(),
  }),
  /**
   * By who was in a team when a week began. Those of fewer than ten members are told together, and those between which
   * somebody went within the period.
   */
  teams: z.array(
    z.object({
      names: z.array(z.object({ name: z.string(), emoji: z.string() })),
      /** When the last week of the period began. */
      members: z.number().int(),
      /** How many of ten person-weeks had a log, in per cent; in steps of five where people joined or left. */
      participation: toldSchema,
      milesPerMemberAndWeek: z.number().nullable(),
    }),
  ),
  /** Of those who moved in a week, who moved in the next one, too: over half a year. */
  challenges: z.object({ completed: shareSchema, others: shareSchema }),
});
export type Analytics = z.infer<typeof analyticsSchema>;

/** Of those who moved in the week that a recap tells of, who moved in the next one, too: over half a year. */
export const recapsEffectSchema = z.object({ recaps: z.number().int(), read: shareSchema, others: shareSchema });
export type RecapsEffect = z.infer<typeof recapsEffectSchema>;
