import { z } from 'zod';
import * as fitness from '../fitness.ts';
import { list } from './operation.ts';

const common = { service: 'integrations', access: 'member' } as const;
const noProvider = 'No such platform.';
const notConnected = { 404: noProvider, 409: 'It is not connected.' };

export const fitnessOperations = list({
  readFitnessStatus: {
    ...common,
    method: 'get',
    path: '/api/fitness/status',
    access: 'guest',
    summary: 'Which fitness platforms are connected.',
    answers: { 200: fitness.fitnessStatusSchema },
  },
  listFitnessAccounts: {
    ...common,
    method: 'get',
    path: '/api/fitness/accounts',
    summary: 'One’s accounts at fitness platforms: what is connected, how far it is fetched, and what it earns.',
    answers: { 200: fitness.fitnessAccountsSchema },
  },
  connectFitness: {
    ...common,
    method: 'get',
    path: '/api/fitness/{provider}/auth',
    storesSomething: true,
    summary: 'Where the browser is to go to connect a platform; it has ten minutes.',
    query: fitness.connectQuerySchema,
    answers: { 200: fitness.connectAnswerSchema },
    refusals: { 404: noProvider, 409: 'The administrator has not set the platform up.' },
  },
  finishConnectingFitness: {
    ...common,
    method: 'get',
    path: '/api/fitness/{provider}/callback',
    storesSomething: true,
    access: 'public',
    cookies: ['connect'],
    summary:
      'Where a platform sends the browser back to. It goes on to the screen that it came from, whatever happened.',
    query: fitness.callbackQuerySchema,
    answers: { 303: z.null() },
    refusals: { 404: noProvider },
  },
  consentToScore: {
    ...common,
    method: 'patch',
    path: '/api/fitness/{provider}',
    summary: 'Whether what is imported from here earns miles, for what was imported before too (D21).',
    body: fitness.fitnessConsentRequestSchema,
    answers: { 200: fitness.fitnessAccountSchema },
    refusals: notConnected,
  },
  disconnectFitness: {
    ...common,
    method: 'delete',
    path: '/api/fitness/{provider}',
    summary: 'Disconnect a platform, and take back what was imported from it or keep it (D24).',
    query: fitness.disconnectQuerySchema,
    answers: { 200: fitness.disconnectedSchema },
    refusals: notConnected,
  },
  syncFitness: {
    ...common,
    method: 'post',
    path: '/api/fitness/sync',
    summary: 'Fetch what is new now; says how many workouts came.',
    answers: { 200: fitness.syncAnswerSchema },
    refusals: {
      409: 'Nothing is connected.',
      503: 'The platform does not answer, or takes no more calls for now; see Retry-After.',
    },
  },
  listSyncRuns: {
    ...common,
    method: 'get',
    path: '/api/fitness/history',
    summary: 'When something was fetched, and what came of it, newest first.',
    query: fitness.syncRunsQuerySchema,
    answers: { 200: fitness.syncRunsSchema },
  },
  listImportedWorkouts: {
    ...common,
    method: 'get',
    path: '/api/fitness/workouts',
    summary: 'What came from platforms and what it counts as, newest first.',
    query: fitness.importedWorkoutsQuerySchema,
    answers: { 200: fitness.importedWorkoutsSchema },
  },
  countWorkout: {
    ...common,
    method: 'patch',
    path: '/api/fitness/workouts/{workoutId}',
    summary: 'Let a workout count that was taken for another one, or the other way round (D25).',
    body: fitness.countWorkoutRequestSchema,
    answers: { 200: fitness.importedWorkoutSchema },
    refusals: { 404: 'No such workout of one’s own.', 409: 'It cannot count: too short, too old or in the future.' },
  },
});
