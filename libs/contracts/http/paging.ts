import { z } from 'zod';

/** Sealed by `Cursors` in libs/service-kit, which alone makes values of this type. */
export const cursorSchema = z.string().brand<'Cursor'>().meta({ format: 'cursor' });
export type Cursor = z.infer<typeof cursorSchema>;

/** Above 50 is clamped to 50, below 1 is refused (D17, D38). */
export function pageQuerySchema(defaultLimit: number) {
  return z.object({
    limit: z.coerce
      .number({ error: 'limit must be a whole number of 1 or more' })
      .int('limit must be a whole number of 1 or more')
      .min(1, 'limit must be a whole number of 1 or more')
      .transform((limit) => Math.min(limit, 50))
      .default(defaultLimit),
    cursor: z
      .string()
      .max(200)
      .meta({ description: 'Where the page begins, from the Link header of the one before.' })
      .optional(),
  });
}
export type PageQuery = { limit: number; cursor?: string | undefined };
