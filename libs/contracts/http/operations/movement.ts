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
  listFrequentActivities: {
    method: 'get',
    path: '/api/user-activities/frequent',
    service: 'activity',
    access: 'member',
    summary: 'The ten activities the caller uses most besides the presets.',
    answers: { 200: movement.frequentActivitiesSchema },
  },
  trackActivity: {
    method: 'post',
    path: '/api/user-activities/track',
    service: 'activity',
    access: 'member',
    summary: 'Count one more use of an activity that is no preset.',
    body: movement.trackActivityRequestSchema,
    answers: { 200: movement.frequentActivitySchema },
  },
});
