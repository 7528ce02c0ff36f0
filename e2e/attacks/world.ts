import { randomUUID } from '@caravan/contracts/testing/seeded';
import { settle } from '@caravan/check-invariants/invariants';
import type { Notification } from '@caravan/contracts/http/notifications';
import { operations } from '@caravan/contracts/http/operations';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { target } from '../env.ts';
import { mailedLink } from '../mail.ts';
import { password } from '../people.ts';
import { ownPhoto, type PartedUpload, partedUpload, sentPhoto } from './photos.ts';
import { allOperations, type OperationId, placesOf } from './places.ts';
import { type Call, type Heard, send } from './send.ts';

export type Person = {
  readonly id: string;
  readonly orgId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly token: string;
  readonly cookie: string;
};

export type Party = {
  /** Stands in every name and text: whoever reads it elsewhere reads what is not theirs. */
  readonly canary: string;
  readonly admin: Person;
  readonly member: Person;
  readonly orgId: string;
  readonly teamId: string;
  readonly logId: string;
  /** Below that log. */
  readonly commentId: string;
  /** The member's. */
  readonly notificationId: string;
  readonly challengeId: string;
  readonly inviteId: string;
  readonly ballotId: string;
  /** The member's, with an open ballot. */
  readonly votingTeamId: string;
  readonly inviteCode: string;
  /** The member's, which no log has. */
  readonly photoPath: string;
  /** The member's, not registered. */
  readonly uploadUrl: string;
  /** The member's, not completed. */
  readonly parted: PartedUpload;
  readonly recapId: string;
  readonly recapWeek: string;
  /** Where the second page of each list begins. */
  readonly cursors: Readonly<Partial<Record<OperationId, string>>>;
  readonly secrets: readonly string[];
  newMember(): Promise<Person>;
  /** Joined by an invite for some domains and has not confirmed the address. */
  newGuest(): Promise<Person>;
  /** The guest of the last minutes: their token lives five. */
  guest(): Promise<Person>;
};

type Answer = { id: string; code: string; token: string; user: { id: string; email: string } };

export async function must(id: OperationId, by: { token?: string; cookie?: string }, call: Call = {}): Promise<Heard> {
  const heard = await send(operations[id], call, by);
  if (heard.status >= 300) throw new Error(`${id} was answered ${heard.status}: ${heard.told}`);
  return heard;
}

export async function signUp(name: string, how: { organizationName?: string; invite?: string }): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${randomUUID()}@example.org`;
  return personOf(await must('signup', {}, { body: { name, email, password, ...how } }));
}

export async function signInAgain({ email }: Person): Promise<Person> {
  return personOf(await must('login', {}, { body: { email, password } }));
}

function personOf({ json, headers }: Heard): Person {
  const { token, user } = json as Answer;
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { id: user.id, email: user.email, token, cookie, orgId: claims['org'] ?? '', sessionId: claims['sid'] ?? '' };
}

/** Ready when every service knows all of it. */
export async function party(label: string): Promise<Party> {
  const canary = `${label}${randomUUID().slice(0, 8)}`;
  const admin = await signUp(`${canary} Admin`, { organizationName: `${canary} Ltd` });
  await setUp(admin, canary);
  const team = (await must('formTeam', admin, { body: { name: `${canary} Team`, emoji: '🦉' } })).json as Answer;
  const invite = (await must('createInvite', admin, { body: {} })).json as Answer;
  const guests = await guestsOf(admin, canary);
  const newMember = () => signUp(`${canary} Member`, { invite: invite.code });
  const member = await newMember();
  for (const person of [admin, member]) await confirmAddress(person);
  const logs: string[] = [];
  for (const person of [member, admin]) {
    await must('editProfile', person, { body: { bio: `${canary} bio`, location: `${canary} place` } });
    for (const nth of [1, 2]) logs.push(await log(person, `${canary} caption ${nth}`, `${canary} sport`));
  }
  await must('follow', member, { path: { id: admin.id } });
  await must('follow', admin, { path: { id: member.id } });
  await signInAgain(member);
  await bonusOpened(admin);
  const notificationId = await followerNotified(member);
  const files = await filesOf(member, canary);
  await settle(target().postgres, 30_000);
  const logId = logs[0] ?? '';
  const commentId = await comment(member, logId, `${canary} words`);
  await comment(admin, logId, `${canary} words`);
  const challenges = (await must('listWeeklyChallenges', admin)).json as Answer[];
  return {
    challengeId: challenges[0]?.id ?? '',
    canary,
    admin,
    member,
    orgId: admin.orgId,
    teamId: team.id,
    logId,
    commentId,
    notificationId,
    newMember,
    ...guests,
    ...(await ownBallot(admin, member)),
    ...(await builtRecap(member, `${canary} feedback`)),
    ...files,
    inviteId: invite.id,
    inviteCode: invite.code,
    cursors: await cursorsOf(admin, logId),
    secrets: [canary, canary.toLowerCase(), invite.code, admin.email, member.email, admin.orgId, admin.sessionId],
  };
}

const guestMilliseconds = 240_000;

async function guestsOf(admin: Person, canary: string): Promise<Pick<Party, 'newGuest' | 'guest'>> {
  const body = { domains: ['example.org', `${canary.toLowerCase()}.example`] };
  const { code } = (await must('createInvite', admin, { body })).json as Answer;
  const newGuest = () => signUp(`${canary} Guest`, { invite: code });
  let latest: { readonly person: Promise<Person>; readonly until: number } | undefined;
  const guest = () => {
    if (latest === undefined || latest.until < Date.now())
      latest = { person: newGuest(), until: Date.now() + guestMilliseconds };
    return latest.person;
  };
  return { newGuest, guest };
}

async function filesOf(member: Person, canary: string): Promise<Pick<Party, 'photoPath' | 'uploadUrl' | 'parted'>> {
  const { objectPath: photoPath } = await ownPhoto(member, `${canary} alt`);
  return { photoPath, uploadUrl: await sentPhoto(member), parted: await partedUpload(member) };
}

async function setUp(admin: Person, canary: string): Promise<void> {
  await must('setUpCompany', admin, {
    body: {
      companyName: `${canary} Ltd`,
      employeeRange: '1-25',
      brandTraits: ['bold'],
      industry: `${canary} mills`,
      brandColors: ['#112233', '#445566'],
    },
  });
}

/** No mail that is still on its way changes rows later. */
async function confirmAddress({ email }: Person): Promise<void> {
  const link = await mailedLink(email, '/confirm-email?token=');
  const token = new URL(link, target().url).searchParams.get('token') ?? '';
  await must('confirmEmail', {}, { body: { token } });
}

/** A new organisation gets its first bonus challenge by itself. */
async function bonusOpened(admin: Person): Promise<void> {
  for (let left = 300; (await must('readBonusChallenge', admin)).json === null; left -= 1) {
    if (left === 0) throw new Error('no bonus challenge was opened in a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function followerNotified(person: Person): Promise<string> {
  for (let left = 300; left > 0; left -= 1) {
    const notifications = (await must('listNotifications', person)).json as Notification[];
    const found = notifications.find(({ kind }) => kind === 'follower');
    if (found) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('nobody was notified of a follower in a minute');
}

async function log(person: Person, photoPrompt: string, activityType: string): Promise<string> {
  const body = { activityType, durationMinutes: 30, photoPrompt, location: photoPrompt };
  return ((await must('logMovement', person, { body })).json as Answer).id;
}

async function comment(person: Person, logId: string, text: string): Promise<string> {
  return ((await must('writeComment', person, { path: { id: logId }, body: { text } })).json as Answer).id;
}

/** Lists below a post, not of a person. */
const belowPosts: readonly OperationId[] = ['listComments', 'listReactions'];

async function cursorsOf(admin: Person, logId: string): Promise<Party['cursors']> {
  const lists = allOperations.filter(([, operation]) => placesOf(operation).includes('query.cursor'));
  const cursors = lists.map(async ([id]) => {
    const { headers } = await must(id, admin, {
      path: { id: belowPosts.includes(id) ? logId : admin.id },
      query: { limit: '1' },
    });
    const [, query] = /\?([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
    return [id, new URLSearchParams(query).get('cursor') ?? undefined] as const;
  });
  return Object.fromEntries(await Promise.all(cursors));
}

export async function outsiders(a: Party, b: Party): Promise<Record<string, { token?: string }>> {
  const deactivated = await a.newMember();
  const signedOut = await a.newMember();
  await must('changeMember', a.admin, { path: { id: deactivated.id }, body: { isActive: false } });
  await must('logout', { cookie: signedOut.cookie });
  return {
    'somebody signed out': {},
    'a deactivated member': { token: deactivated.token },
    'an ended session': { token: signedOut.token },
    'a token whose organisation was changed': { token: withClaims(a.admin.token, { org: b.orgId }) },
    'a token that was made admin': { token: withClaims(a.member.token, { role: 'admin' }) },
  };
}

function withClaims(token: string, changed: object): string {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const forged = { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), ...changed };
  return `${head}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
}

/** The open one of the member's team, which the set-up has opened. */
async function ownBallot(admin: Person, member: Person): Promise<{ ballotId: string; votingTeamId: string }> {
  const { team } = (await must('readMe', member)).json as { team: { id: string } };
  const ballots = (await must('listBallots', admin)).json as { id: string; team: { id: string } }[];
  const ballot = ballots.find((one) => one.team.id === team.id);
  if (!ballot) throw new Error('the set-up opened no ballot');
  return { ballotId: ballot.id, votingTeamId: team.id };
}

/** Of the two weeks before last, which no Monday builds by itself any more. */
async function builtRecap(member: Person, feedbackText: string): Promise<{ recapId: string; recapWeek: string }> {
  const monday = weekStartOf(localDateOf(new Date(), 'UTC'));
  const weeks = [addDays(monday, -21), addDays(monday, -14)];
  const { services, serviceCredential } = target();
  for (const week of weeks) {
    const headers = { authorization: `Bearer ${member.token}`, 'x-service-credential': serviceCredential };
    const { status } = await fetch(`${services.social}/internal/recaps/${week}`, { method: 'POST', headers });
    if (status !== 200) throw new Error(`a recap was answered ${status}`);
  }
  const recapWeek = weeks[1] ?? '';
  const { id } = (await must('readRecap', member, { path: { id: recapWeek } })).json as Answer;
  await must('engageWithRecap', member, { path: { id }, body: { feedbackText } });
  return { recapId: id, recapWeek };
}
