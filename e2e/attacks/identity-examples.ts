import { createECDH } from 'node:crypto';
import { randomBytes, randomUUID } from '@caravan/contracts/testing/seeded';
import { password } from '../people.ts';
import { cursorOf, type Example, type Examples, fresh } from './example.ts';
import { ownPhoto } from './photos.ts';
import { must, type Person, signInAgain } from './world.ts';

const someMember: Example = {
  call: ({ member }) => ({ path: { id: member.id } }),
  names: { 'path.id': { of: ({ member }) => member.id } },
};
const company = {
  companyName: 'Attacked Ltd',
  employeeRange: '1-25',
  brandTraits: ['bold'],
  industry: 'Mills',
  brandColors: ['#112233', '#445566'],
};
const uniqueEmail = () => `somebody.${randomUUID()}@example.org`;

async function requestExport(person: Person): Promise<undefined> {
  await must('requestExport', person);
  for (let left = 100; left > 0; left -= 1) {
    const { state } = (await must('readExport', person)).json as { state: string };
    if (state === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the export was not ready in 20 s');
}

/** A browser's, as its push service would have named it. */
function pushSubscription() {
  const keys = createECDH('prime256v1');
  return {
    endpoint: `https://push.example.org/${randomUUID()}`,
    keys: { p256dh: keys.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}

export const identityExamples = {
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
  unsubscribe: {
    call: () => ({ query: { token: 'no-such-token' } }),
    refusedWith: 422,
    names: { 'query.token': 'secret' },
  },
  readPushKey: {},
  subscribeToPushes: {
    by: fresh,
    call: () => ({ body: pushSubscription() }),
  },
  unsubscribeFromPushes: { by: fresh },
  setProfilePhoto: {
    by: fresh,
    after: async (person) => ({ body: { objectPath: (await ownPhoto(person)).objectPath } }),
    names: { 'body.objectPath': { of: ({ photoPath }) => photoPath } },
  },
  removeProfilePhoto: {},
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
  downloadExport: { by: fresh, after: requestExport },
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
  formTeam: { call: () => ({ body: { name: `Team ${randomUUID().slice(0, 8)}`, emoji: '🐙' } }) },
  changeTeam: {
    call: ({ teamId }) => ({ path: { id: teamId }, body: { emoji: '🐢' } }),
    names: { 'path.id': { of: ({ teamId }) => teamId } },
  },
  listAudit: { names: cursorOf('listAudit') },
  downloadAudit: {},
} satisfies Examples;
