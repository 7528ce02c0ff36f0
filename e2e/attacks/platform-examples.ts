import { type Examples, fresh } from './example.ts';

const strava = { path: { provider: 'strava' } };
const answered = (...answers: number[]) => ({ of: () => 'fitbit', answers });

/** Each platform is somebody's own: another one's name is one's own account there. */
export const platformExamples = {
  readFitnessStatus: {},
  listFitnessAccounts: {},
  connectFitness: { by: fresh, call: () => strava, names: { 'path.provider': answered(200) } },
  // Whatever comes back, the browser goes on to a screen.
  finishConnectingFitness: {
    call: () => ({ ...strava, query: { state: 'guessed', code: 'guessed' } }),
    refusedWith: 303,
    names: { 'path.provider': answered(303), 'query.code': { of: ({ inviteId }) => inviteId, answers: [303] } },
  },
  consentToScore: {
    by: fresh,
    call: () => ({ ...strava, body: { isScored: true } }),
    refusedWith: 409,
    names: { 'path.provider': answered(409) },
  },
  disconnectFitness: {
    by: fresh,
    call: () => strava,
    refusedWith: 409,
    names: { 'path.provider': answered(409) },
  },
} satisfies Examples;
