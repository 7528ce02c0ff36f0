import { z } from 'zod';
import { auditActs, auditKinds } from '../domain/audit.ts';
import { localDateSchema } from '../events/fields.ts';
import { pageQuerySchema } from './paging.ts';

const filters = {
  kind: z.enum(auditKinds, { error: `kind must be one of ${auditKinds.join(', ')}` }).optional(),
  /** In the caller's time zone, both included. */
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
  actor: z.object({ name: z.string(), profileId: z.string().nullable() }).nullable(),
  device: z.string().nullable(),
  subject: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  count: z.number().int().nullable(),
});
export const auditEntriesSchema = z.array(auditEntrySchema);
export type AuditEntry = z.infer<typeof auditEntrySchema>;
