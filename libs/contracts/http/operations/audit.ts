import { z } from 'zod';
import * as audit from '../audit.ts';
import { list } from './operation.ts';

export const auditOperations = list({
  listAudit: {
    method: 'get',
    path: '/api/audit',
    service: 'identity',
    access: 'admin',
    summary: 'Who did what, when and from where, newest first; the next page is in the Link header.',
    query: audit.auditQuerySchema,
    answers: { 200: audit.auditEntriesSchema },
  },
  downloadAudit: {
    method: 'get',
    path: '/api/audit/file',
    storesSomething: true,
    service: 'identity',
    access: 'admin',
    summary: 'The audit log as CSV, newest first, at most 50,000 entries.',
    query: audit.auditFileQuerySchema,
    mediaType: 'text/csv',
    answers: { 200: z.unknown() },
  },
});
