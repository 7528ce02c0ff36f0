import * as movement from '../movement.ts';
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
    query: movement.ownLogsQuerySchema,
    answers: { 200: movement.ownLogsSchema },
  },
  correctLog: {
    method: 'patch',
    path: '/api/logs/{id}',
    service: 'activity',
    access: 'member',
    summary: 'Correct an own log within 7 days; what is absent stays. Accepts an Idempotency-Key.',
    body: movement.correctLogRequestSchema,
    answers: { 200: movement.ownLogSchema },
    refusals: { 404: 'No such log of one’s own' },
  },
  removeLog: {
    method: 'delete',
    path: '/api/logs/{id}',
    service: 'activity',
    access: 'member',
    summary: 'Take an own log back within 7 days.',
    answers: { 200: movement.removedLogSchema },
    refusals: { 404: 'No such log of one’s own' },
  },
});
