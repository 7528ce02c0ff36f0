import { type Examples, fresh } from './example.ts';

const strava = { path: { provider: 'strava' } };
const answersOfPlatform = (...answers: number[]) => ({ of: () => 'fitbit', answers });

/** Each platform is somebody's own: another one's name is one's own account there. */
export const platformExamples = {
  readFitnessStatus: {},
  listFitnessAccounts: {},
  connectFitness: { by: fresh, call: () => strava, names: { 'path.provider': answersOfPlatform(200) } },
  // Whatever comes back, the browser goes on to a screen.
  finishConnectingFitness: {
    call: () => ({ ...strava, query: { state: 'guessed', code: 'guessed' } }),
    refusedWith: 303,
    names: {
      'path.provider': answersOfPlatform(303),
      'query.code': { of: ({ inviteId }) => inviteId, answers: [303] },
    },
  },
  consentToScore: {
    by: fresh,
    call: () => ({ ...strava, body: { isScored: true } }),
    refusedWith: 409,
    names: { 'path.provider': answersOfPlatform(409) },
  },
  disconnectFitness: {
    by: fresh,
    call: () => strava,
    refusedWith: 409,
    names: { 'path.provider': answersOfPlatform(409) },
  },
} satisfies Examples;
