import { z } from 'zod';
import { auditActs, auditKinds } from '../audit.ts';
import { localDateSchema } from '../fields.ts';
import { pageQuerySchema } from './paging.ts';

const filters = {
  kind: z.enum(auditKinds, { error: `kind must be one of ${auditKinds.join(', ')}` }).optional(),
  /** Dates of the caller's time zone, both included. */
  from: localDateSchema.optional(),
  to: localDateSchema.optional(),
};

export const auditFileQuerySchema = z.object(filters);
export type AuditFilters = z.infer<typeof auditFileQuerySchema>;

export const auditQuerySchema = pageQuerySchema(25).extend(filters);
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(auditKinds),
  act: z.enum(auditActs),
  /** Null: whoever runs the instance. Without a profile: 'A former member'. */
  actor: z.object({ name: z.string(), profileId: z.string().nullable() }).nullable(),
  /** What the device is recognised by, such as 'Firefox on Linux'. */
  device: z.string().nullable(),
  /** The member or team as called today, the first characters of an invite's code, a route, an operation. */
  subject: z.string().nullable(),
  /** Teams of a member who was moved. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Of templates. */
  count: z.number().int().nullable(),
});
export const auditEntriesSchema = z.array(auditEntrySchema);
export type AuditEntry = z.infer<typeof auditEntrySchema>;
