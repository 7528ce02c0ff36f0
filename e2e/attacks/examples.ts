import type { Operation } from '@caravan/contracts/http/operations/operation';
import { cursorOf, type Example, type Examples, fresh } from './example.ts';
import { companionExamples } from './companion-examples.ts';
import { fitnessExamples } from './fitness-examples.ts';
import { identityExamples } from './identity-examples.ts';
import { ownPhoto, photoIdIn, sentPhoto } from './photos.ts';
import type { OperationId } from './places.ts';
import { platformExamples } from './platform-examples.ts';
import type { Call } from './send.ts';
import { socialExamples } from './social-examples.ts';
import { must, type Party, type Person } from './world.ts';

const someChallenge: Example = {
  call: ({ challengeId }) => ({ path: { id: challengeId } }),
  names: { 'path.id': { of: ({ challengeId }) => challengeId } },
};

async function ownLog(person: Person): Promise<string> {
  const { json } = await must('logMovement', person, { body: { activityType: 'Walking', durationMinutes: 30 } });
  return (json as { id: string }).id;
}

const activityExamples = {
  logMovement: {
    call: () => ({ body: { activityType: 'Walking', durationMinutes: 10 } }),
    names: {
      // An unfitting challenge never costs the log (D40).
      'body.bonusChallengeId': { of: ({ logId }) => logId, answers: [200] },
      'body.photoPath': { of: ({ photoPath }) => photoPath },
    },
  },
  listOwnLogs: { names: cursorOf('listOwnLogs') },
  correctLog: {
    by: fresh,
    after: async (person) => ({ path: { id: await ownLog(person) }, body: { durationMinutes: 20 } }),
    names: { 'path.id': { of: ({ logId }) => logId }, 'body.photoPath': { of: ({ photoPath }) => photoPath } },
  },
  removeLog: {
    by: fresh,
    after: async (person) => ({ path: { id: await ownLog(person) } }),
    names: { 'path.id': { of: ({ logId }) => logId } },
  },
  listFrequentActivities: {},
  trackActivity: { call: () => ({ body: { activityName: 'Juggling' } }) },
  // Thirty an hour are fewer than all that is tried.
  startUpload: { by: fresh, call: () => ({ body: {} }) },
  registerPhoto: {
    by: fresh,
    after: async (person) => ({ body: { photoURL: await sentPhoto(person) } }),
    names: { 'body.photoURL': { of: ({ uploadUrl }) => uploadUrl } },
  },
  readPhoto: {
    by: fresh,
    after: async (person) => {
      const { objectPath, previewUrl } = await ownPhoto(person);
      const query = Object.fromEntries(new URLSearchParams(previewUrl.split('?')[1]));
      return { path: { photoId: photoIdIn(objectPath), size: '640' }, query };
    },
    // Photo and size are signed.
    names: {
      'path.photoId': { of: ({ photoPath }) => photoIdIn(photoPath), answers: [403] },
      'path.size': { of: () => '1280', answers: [403] },
    },
  },
} satisfies Examples;

const scoringExamples = {
  readDashboardStats: {},
  readLeaderboard: {},
  readBoardWeeks: {},
  listMiles: { names: cursorOf('listMiles') },
  readOwnDays: {},
  readBonusChallenge: {},
  listWeeklyChallenges: {},
  readChallengeProgress: someChallenge,
  completeChallenge: someChallenge,
  listChallengeTemplates: {},
  replaceChallengeTemplates: {
    after: async (_, { admin }) => ({
      body: (await must('listChallengeTemplates', admin)).json as Record<string, unknown>[],
    }),
    // Templates that nobody has saved are the product's own, the same for all.
    names: { 'body.id': { of: () => 'walk-5-miles', answers: [200, 404, 422] } },
  },
  readOwnBadges: {},
  readBadgeGallery: {},
  readJourney: {},
  listRoutes: {},
  readAnalytics: {},
  startJourney: {
    // Short enough for the party's miles to have passed a checkpoint already.
    call: () => ({ body: { routeId: 'hadrians-wall', startsOn: '2026-01-05' } }),
    names: { 'body.routeId': { of: () => 'hadrians-wall', answers: [200] } },
  },
} satisfies Examples;

export const examples: Record<OperationId, Example> = {
  ...identityExamples,
  ...activityExamples,
  ...companionExamples,
  ...scoringExamples,
  ...socialExamples,
  ...platformExamples,
  ...fitnessExamples,
  streamChanges: {},
  readOpenApi: {},
};

export async function exampleCall(
  { by, call, after }: Example,
  party: Party,
  access: Operation['access'],
): Promise<{ person: Person; call: Call }> {
  const usual = access === 'admin' ? party.admin : party.member;
  const person = by ? await by(party) : usual;
  return { person, call: { ...call?.(party), ...(await after?.(person, party)) } };
}
