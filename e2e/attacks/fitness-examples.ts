import { cursorOf, type Examples, fresh } from './example.ts';

const secret = { 'path.secret': 'secret' } as const;
const someWorkout = '0b0f7c60-2c3e-4f0e-9d3a-0c9f1a52d0b1';

/** Nobody here is connected, and nobody here is a platform. */
export const fitnessExamples = {
  syncFitness: { by: fresh, refusedWith: 409 },
  listSyncRuns: { names: cursorOf('listSyncRuns') },
  listImportedWorkouts: { names: cursorOf('listImportedWorkouts') },
  countWorkout: {
    call: () => ({ path: { workoutId: someWorkout }, body: { counts: true } }),
    refusedWith: 404,
    names: { 'path.workoutId': { of: ({ logId }) => logId } },
  },
  subscribeStrava: {
    call: () => ({
      path: { secret: 'guessed' },
      query: { 'hub.mode': 'subscribe', 'hub.challenge': 'x', 'hub.verify_token': 'guessed' },
    }),
    refusedWith: 404,
    names: secret,
  },
  deliverStrava: { call: () => ({ path: { secret: 'guessed' } }), refusedWith: 404, names: secret },
  deliverGoogleHealth: { refusedWith: 401 },
  verifyFitbit: { call: () => ({ query: { verify: 'guessed' } }), refusedWith: 404 },
  deliverFitbit: { refusedWith: 404 },
} satisfies Examples;
