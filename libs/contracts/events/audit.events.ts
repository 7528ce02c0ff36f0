import { z } from 'zod';
import { auditActs } from '../domain/audit.ts';
import { publicEvent } from './envelope.ts';

/** Every service tells its acts on its own topic; identity keeps the audit log. */
export const actAudited = publicEvent(
  'ActAudited',
  1,
  z.object({
    act: z.enum(auditActs),
    /** The product's own words, never what a person typed. */
    text: z.string().nullable(),
    count: z.number().int().nullable(),
    device: z.string().nullable(),
  }),
);
