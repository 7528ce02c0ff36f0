import { z } from 'zod';

/** Every error answer: RFC 9457 (D4). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  message: z.string(),
  detail: z.string(),
  /** Stable, `feature/kebab-reason`. */
  code: z.string(),
  instance: z.string().optional(),
  traceId: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
