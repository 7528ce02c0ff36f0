import { z } from 'zod';
import { auditActs } from './audit.ts';
import { publicEvent } from './envelope.ts';

/**
 * Something that belongs into the audit log, which identity keeps; every service tells it on its own topic. Who did it and
 * when stands in the envelope. Key: userId.
 */
export const actAudited = publicEvent(
  'ActAudited',
  1,
  z.object({
    act: z.enum(auditActs),
    /** The product's own words: a route, an operation. Never what a person typed. */
    text: z.string().nullable(),
    count: z.number().int().nullable(),
    /** What the device is recognised by, such as 'Firefox on Linux'. */
    device: z.string().nullable(),
  }),
);
