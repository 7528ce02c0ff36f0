import * as movement from '../movement.ts';
import { pageQuerySchema } from '../paging.ts';
import { list } from './operation.ts';

export const movementOperations = list({
  logMovement: {
    method: 'post',
    path: '/api/log',
    service: 'activity',
    access: 'member',
    summary: 'Log a movement: 10 minutes earn a mile. Accepts an Idempotency-Key.',
    body: movement.logRequestSchema,
    answers: { 200: movement.logAnswerSchema },
  },
  listOwnLogs: {
    method: 'get',
    path: '/api/logs',
    service: 'activity',
    access: 'member',
    summary: 'Own movements, newest first; the next page is in the Link header.',
    query: pageQuerySchema(10),
    answers: { 200: movement.ownLogsSchema },
  },
});
