import { z } from 'zod';

/** Every error answer: RFC 9457 with a message for people and a stable code for programs (D4). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What went wrong, in the specification's words; screens show it as it is. */
  message: z.string(),
  detail: z.string(),
  /** Stable, `feature/kebab-reason`. */
  code: z.string(),
  instance: z.string().optional(),
  traceId: z.string().optional(),
  /** Which fields of a well-formed but invalid body are wrong (D38). */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
