import { password } from '../people.ts';
import type { OperationId, Place } from './places.ts';
import type { Call } from './send.ts';
import { must, type Party, type Person, signInAgain } from './world.ts';

export type Naming = {
  readonly of: (party: Party) => string;
  /** 404 unless said otherwise (D4). */
  readonly answers?: readonly number[];
};

/** A new operation does not compile until it has one. */
export type Example = {
  readonly call?: (party: Party) => Call;
  readonly by?: (party: Party) => Promise<Person>;
  readonly after?: (person: Person, party: Party) => Promise<Call | undefined>;
  readonly refusedWith?: number;
  /** 'secret': whoever holds it may use it, so that it must never be told. */
  readonly names?: Readonly<Partial<Record<Place, Naming | 'secret'>>>;
};

const fresh = (party: Party) => party.newMember();
const someMember: Example = {
  call: ({ member }) => ({ path: { id: member.id } }),
  names: { 'path.id': { of: ({ member }) => member.id } },
};
const someChallenge: Example = {
  call: ({ challengeId }) => ({ path: { id: challengeId } }),
  names: { 'path.id': { of: ({ challengeId }) => challengeId } },
};
/** A place in a list of one's own says nothing about others. */
const cursorOf = (list: OperationId): NonNullable<Example['names']> => ({
  'query.cursor': { of: ({ cursors, logId }) => cursors[list] ?? cursorAt(logId), answers: [200, 422] },
});
const cursorAt = (id: string) => Buffer.from(JSON.stringify([new Date().toISOString(), id])).toString('base64url');
const company = {
  ...{ companyName: 'Attacked Ltd', employeeRange: '1-25', brandTraits: ['bold'], industry: 'Mills' },
  brandColors: ['#112233', '#445566'],
};
const uniqueEmail = () => `somebody.${crypto.randomUUID()}@example.org`;

async function ownLog(person: Person): Promise<string> {
  const { json } = await must('logMovement', person, { body: { activityType: 'Walking', durationMinutes: 30 } });
  return (json as { id: string }).id;
}

async function exported(person: Person): Promise<undefined> {
  await must('requestExport', person);
  for (let left = 100; left > 0; left -= 1) {
    const { state } = (await must('readExport', person)).json as { state: string };
    if (state === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the export was not ready in 20 s');
}

export const examples: Record<OperationId, Example> = {
  signup: {
    call: ({ inviteCode }) => ({ body: { name: 'New', email: uniqueEmail(), password, invite: inviteCode } }),
    names: { 'body.invite': 'secret' },
  },
  login: { call: ({ member }) => ({ body: { email: member.email, password } }) },
  refreshSession: { by: fresh },
  logout: { by: fresh },
  forgotPassword: { call: ({ member }) => ({ body: { email: member.email } }) },
  resetPassword: {
    call: () => ({ body: { token: 'no-such-token', password } }),
    refusedWith: 422,
    names: { 'body.token': 'secret' },
  },
  confirmEmail: {
    call: () => ({ body: { token: 'no-such-token' } }),
    refusedWith: 422,
    names: { 'body.token': 'secret' },
  },
  undoEmail: {
    call: () => ({ body: { token: 'no-such-token' } }),
    refusedWith: 422,
    names: { 'body.token': 'secret' },
  },
  readInvitation: {
    call: ({ inviteCode }) => ({ query: { code: inviteCode } }),
    names: { 'query.code': 'secret' },
  },
  readMe: {},
  chooseActivityLevel: { call: () => ({ body: { activityLevel: 'active' } }) },
  editProfile: { call: () => ({ body: { location: 'Elsewhere' } }) },
  readSettings: {},
  changeSettings: { call: () => ({ body: { notifications: { push: true } } }) },
  listOwnSessions: {},
  endOwnSession: {
    by: fresh,
    after: async (person) => ({ path: { id: (await signInAgain(person)).sessionId } }),
    names: { 'path.id': { of: ({ member }) => member.sessionId } },
  },
  resendConfirmation: { by: fresh },
  withdrawPendingEmail: { by: fresh },
  requestExport: { by: fresh },
  readExport: {},
  downloadExport: { by: fresh, after: exported },
  eraseMe: { by: fresh, call: () => ({ body: { password } }) },
  readUser: someMember,
  follow: { ...someMember, by: fresh },
  unfollow: { ...someMember, by: fresh },
  listFollowers: { ...someMember, names: { ...someMember.names, ...cursorOf('listFollowers') } },
  listFollowing: { ...someMember, names: { ...someMember.names, ...cursorOf('listFollowing') } },
  readBranding: {},
  readCompany: {},
  setUpCompany: { call: () => ({ body: company }) },
  switchStreakFreezes: { call: () => ({ body: { hasFreezes: true } }) },
  listInvites: { names: cursorOf('listInvites') },
  createInvite: {
    call: ({ teamId }) => ({ body: { teamId } }),
    names: { 'body.teamId': { of: ({ teamId }) => teamId } },
  },
  revokeInvite: {
    after: async (_, { admin }) => {
      const { json } = await must('createInvite', admin, { body: {} });
      return { path: { id: (json as { id: string }).id } };
    },
    names: { 'path.id': { of: ({ inviteId }) => inviteId } },
  },
  listMembers: {
    names: { ...cursorOf('listMembers'), 'query.teamId': { of: ({ teamId }) => teamId, answers: [200, 404, 422] } },
  },
  changeMember: {
    call: ({ member, teamId }) => ({ path: { id: member.id }, body: { teamId } }),
    names: { 'path.id': { of: ({ member }) => member.id }, 'body.teamId': { of: ({ teamId }) => teamId } },
  },
  listTeams: {},
  formTeam: { call: () => ({ body: { name: `Team ${crypto.randomUUID().slice(0, 8)}`, emoji: '🐙' } }) },
  changeTeam: {
    call: ({ teamId }) => ({ path: { id: teamId }, body: { emoji: '🐢' } }),
    names: { 'path.id': { of: ({ teamId }) => teamId } },
  },
  listAudit: { names: cursorOf('listAudit') },
  downloadAudit: {},
  logMovement: {
    call: () => ({ body: { activityType: 'Walking', durationMinutes: 10 } }),
    names: {
      // An unfitting challenge never costs the log (D40).
      'body.bonusChallengeId': { of: ({ logId }) => logId, answers: [200] },
      'body.photoPath': { of: ({ logId }) => `photos/${logId}.webp`, answers: [404, 422] },
    },
  },
  listOwnLogs: { names: cursorOf('listOwnLogs') },
  correctLog: {
    by: fresh,
    after: async (person) => ({ path: { id: await ownLog(person) }, body: { durationMinutes: 20 } }),
    names: { 'path.id': { of: ({ logId }) => logId } },
  },
  removeLog: {
    by: fresh,
    after: async (person) => ({ path: { id: await ownLog(person) } }),
    names: { 'path.id': { of: ({ logId }) => logId } },
  },
  listFrequentActivities: {},
  trackActivity: { call: () => ({ body: { activityName: 'Juggling' } }) },
  readDashboardStats: {},
  readLeaderboard: {},
  listMiles: { names: cursorOf('listMiles') },
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
  startJourney: {
    // Short enough for the party's miles to have passed a checkpoint already.
    call: () => ({ body: { routeId: 'hadrians-wall', startsOn: '2026-01-05' } }),
    names: { 'body.routeId': { of: () => 'hadrians-wall', answers: [200] } },
  },
  readFeedOfAll: { names: cursorOf('readFeedOfAll') },
  readFeedOfTeam: { names: cursorOf('readFeedOfTeam') },
  readOwnFeed: { names: cursorOf('readOwnFeed') },
  readFitnessStatus: {},
  streamChanges: {},
  readOpenApi: {},
};

export async function exampleCall(
  { by, call, after }: Example,
  party: Party,
  access: 'public' | 'cookie' | 'member' | 'admin',
): Promise<{ person: Person; call: Call }> {
  const person = by ? await by(party) : access === 'admin' ? party.admin : party.member;
  return { person, call: { ...call?.(party), ...(await after?.(person, party)) } };
}
