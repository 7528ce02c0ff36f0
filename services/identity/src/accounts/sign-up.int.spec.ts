import { randomUUID } from 'node:crypto';
import { signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { withSystem } from '@caravan/event-store/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import { newEmail, password, Visitor } from '../../testing/visitor.ts';

let identity: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const visitor = () => new Visitor(identity.url);
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await withSystem(identity.pool, (tx) => tx.query<Row>(text, values))).rows;
const counts = async () =>
  (
    await rows(`select (select count(*) from organisations) as organisations, (select count(*) from persons) as persons,
      (select count(*) from credentials) as credentials, (select count(*) from sessions) as sessions,
      (select count(*) from es.events) as events, (select count(*) from es.outbox) as outbox`)
  )[0];

async function organisationOf(admin: Visitor): Promise<string> {
  const [row] = await rows<{ org_id: string }>('select org_id from persons where user_id = $1', [
    (await admin.get('/api/me')).body['id'],
  ]);
  return row?.org_id ?? '';
}

/** A founded organisation and its admin. */
async function founded(fields: object = {}) {
  const admin = visitor();
  const answer = await admin.signUp({ organizationName: 'Acme', ...fields });
  expect(answer.status).toBe(200);
  return { admin, answer, orgId: await organisationOf(admin) };
}

async function invite(orgId: string, changes: Record<string, unknown> = {}): Promise<string> {
  const given = {
    ...{ code: randomUUID().slice(0, 12), expires_at: new Date(Date.now() + 60_000), max_uses: null, uses: 0 },
    ...{ domains: [], team_id: null, revoked_at: null, ...changes },
  };
  await rows(
    `insert into invites (org_id, invite_id, created_by, created_at, code, expires_at, max_uses, uses, domains, team_id, revoked_at)
      values ($1, gen_random_uuid(), gen_random_uuid(), now(), $2, $3, $4, $5, $6, $7, $8)`,
    [orgId, given.code, given.expires_at, given.max_uses, given.uses, given.domains, given.team_id, given.revoked_at],
  );
  return given.code;
}

describe('signing up', () => {
  test('[7.5 3.25 S20] answers token, user and assigned team, nothing more, and signs in', async () => {
    const maya = visitor();
    const answer = await maya.signUp({ name: '  Maya Okafor ', email: ' Maya.Okafor@Example.com ' });
    expect(answer.status).toBe(200);
    expect(signupAnswerSchema.strict().parse(answer.body)).toMatchObject({
      user: { name: 'Maya Okafor', email: 'Maya.Okafor@Example.com', profilePhotoUrl: null },
      assignedTeam: { name: 'Thunder', emoji: '⚡' },
    });
    expect((await maya.get('/api/me')).status).toBe(200);
    expect((await maya.refresh()).status).toBe(200);
  });

  test('[D1 D2] without an invite founds an organisation named after the person, who is its admin', async () => {
    const { admin, answer, orgId } = await founded({ organizationName: undefined });
    expect(answer.body).toMatchObject({ user: { role: 'admin' } });
    expect((await admin.get('/api/org/branding')).body).toEqual({
      primaryColor: '#ea580c',
      welcomeMessage: 'Welcome to your team wellness platform!',
      name: "Maya Okafor's Organization",
      logoUrl: null,
    });
    const teams = await rows('select name, emoji from teams where org_id = $1 order by team_id', [orgId]);
    expect(teams).toEqual([
      { name: 'Thunder', emoji: '⚡' },
      { name: 'Blazers', emoji: '🔥' },
    ]);
  });

  test('[D1] publishes the founding, both teams and the member, under the organisation, in this order', async () => {
    const { admin, answer, orgId } = await founded({ timeZone: 'Asia/Kathmandu' });
    const published = await rows<{ type: string; data: Record<string, unknown>; partition_key: string }>(
      'select type, data, partition_key from es.outbox where org_id = $1 order by pos',
      [orgId],
    );
    expect(published.map(({ type }) => type)).toEqual([
      'OrganisationFounded',
      'TeamFormed',
      'TeamFormed',
      'MemberJoined',
    ]);
    expect(new Set(published.map((message) => message.partition_key))).toEqual(new Set([orgId]));
    expect(published[0]?.data).toMatchObject({ name: 'Acme', timeZone: 'Asia/Kathmandu' });
    const { id } = (await admin.get('/api/me')).body;
    const { assignedTeam } = answer.body as unknown as { assignedTeam: { id: string } };
    expect(published[3]?.data).toMatchObject({
      userId: id,
      name: 'Maya Okafor',
      teamId: assignedTeam.id,
      role: 'admin',
    });
  });

  test('[D1] the log holds no name, address or password', async () => {
    const canary = `Canary${randomUUID().slice(0, 8)}`;
    await founded({
      name: canary,
      email: `${canary}@example.com`,
      organizationName: canary,
      password: `${canary}!aA1`,
    });
    const log = await rows('select data, meta from es.events');
    expect(JSON.stringify(log)).not.toContain(canary);
  });

  test('[D1] the position of the write is told, for the person who signed up', async () => {
    const answer = await visitor().signUp();
    expect(answer.headers.get('x-event-position')).toMatch(/^identity:\d+$/);
    expect(answer.headers.get('x-event-subject')).toBe((answer.body['user'] as unknown as { id: string }).id);
  });

  test('[S12] stores argon2id with today’s parameters and never the password', async () => {
    await founded();
    const stored = await rows<{ password_hash: string }>('select password_hash from credentials');
    for (const row of stored)
      expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires'])('[D39] keeps the time zone %s', async (timeZone) => {
    const { admin } = await founded({ timeZone });
    expect((await admin.get('/api/me')).body['timeZone']).toBe(timeZone);
  });
});

describe('an address', () => {
  test('[D39] is one account regardless of case', async () => {
    const email = newEmail();
    expect((await visitor().signUp({ email })).status).toBe(200);
    const before = await counts();
    const answer = await visitor().signUp({ email: email.toUpperCase() });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'signup/address-taken' });
    expect(await counts()).toEqual(before);
  });

  test('[D39] taken twenty times at once is one account, in one organisation', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => visitor().signUp({ email: nth % 2 ? email : email.toUpperCase() })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(409)]);
    const found = await rows('select from persons where lower(email) = $1', [email]);
    expect(found).toHaveLength(1);
  });

  test('[D39] taken twice at once by founders leaves no second organisation behind', async () => {
    const organizationName = `Twin ${randomUUID()}`;
    const email = newEmail();
    const answers = await Promise.all([1, 2].map(() => visitor().signUp({ email, organizationName })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await rows('select from organisations where name = $1', [organizationName])).toHaveLength(1);
  });
});

describe('an invite', () => {
  test('[D1] leads into its organisation as member, and counts', async () => {
    const { orgId } = await founded({ timeZone: 'Europe/Lisbon' });
    const code = await invite(orgId);
    const member = visitor();
    const answer = await member.signUp({ invite: code, organizationName: 'ignored', role: 'admin' });
    expect(answer.body).toMatchObject({ user: { role: 'member' }, assignedTeam: { name: 'Blazers' } });
    expect(await organisationOf(member)).toBe(orgId);
    expect((await member.get('/api/me')).body['timeZone']).toBe('Europe/Lisbon');
    expect(await rows('select uses from invites where code = $1', [code])).toEqual([{ uses: 1 }]);
  });

  test('[D43] that names a team leads into it', async () => {
    const { orgId, answer } = await founded();
    const { assignedTeam } = answer.body as unknown as { assignedTeam: { id: string } };
    const code = await invite(orgId, { team_id: assignedTeam.id });
    expect((await visitor().signUp({ invite: code })).body['assignedTeam']).toMatchObject({ id: assignedTeam.id });
  });

  test.each([
    ['unknown', {}, 'This invite is not known'],
    ['expired', { expires_at: new Date(Date.now() - 1) }, 'This invite has expired'],
    ['used-up', { max_uses: 2, uses: 2 }, 'This invite has been used up'],
    ['revoked', { revoked_at: new Date() }, 'This invite has been withdrawn'],
    ['other-domain', { domains: ['acme.example'] }, 'This invite is for addresses at acme.example'],
  ])('[D1] that is %s is refused with 422 that says so, and nothing is created', async (reason, changes, message) => {
    const { orgId } = await founded();
    const code = await invite(orgId, changes);
    const before = await counts();
    const answer = await visitor().signUp({ invite: reason === 'unknown' ? 'NO-SUCH-CODE' : code });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: `invite/${reason}`, message, errors: [{ path: 'invite', message }] });
    expect(await counts()).toEqual(before);
  });

  test('[D1] with three uses left admits three of ten who come at once', async () => {
    const { orgId } = await founded();
    const code = await invite(orgId, { max_uses: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => visitor().signUp({ invite: code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body } of answers) if (status !== 200) expect(body['code']).toBe('invite/used-up');
    expect(await rows('select from persons where org_id = $1', [orgId])).toHaveLength(4);
  });
});

test('[D2] fifty who join at once end up in balanced teams, each told the team that is theirs', async () => {
  const { orgId } = await founded();
  const code = await invite(orgId);
  const visitors = Array.from({ length: 50 }, () => visitor());
  const answers = await Promise.all(visitors.map((one) => one.signUp({ invite: code })));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
  const teams = await rows<{ members: number; counted: number }>(
    `select count(*) as members, r.active_members as counted from memberships m
      join team_rosters r using (org_id, team_id) where org_id = $1 group by r.team_id, r.active_members`,
    [orgId],
  );
  expect(teams.map(({ members }) => members).toSorted()).toEqual([25, 26]);
  for (const { members, counted } of teams) expect(counted).toBe(members);
  for (const [nth, one] of visitors.entries()) {
    expect((await one.get('/api/me')).body['team']).toEqual(answers[nth]?.body['assignedTeam']);
  }
});

describe('a body that is not valid', () => {
  const good = { name: 'Maya Okafor', email: 'maya@example.com', password };
  test.each([
    ['no name', { ...good, name: undefined }, 'name', 'Name is required'],
    ['a blank name', { ...good, name: '   ' }, 'name', 'Name is required'],
    ['an invisible name', { ...good, name: '\u200b\u2060' }, 'name', 'Name is required'],
    ['a name that is a number', { ...good, name: 7 }, 'name', 'Name is required'],
    ['a name of 81 characters', { ...good, name: 'x'.repeat(81) }, 'name', 'Name must be at most 80 characters'],
    ['a name with a line break', { ...good, name: 'Maya\nOkafor' }, 'name', 'Control characters are not allowed'],
    ['no address', { ...good, email: undefined }, 'email', 'Invalid email address'],
    ['an address without @', { ...good, email: 'maya' }, 'email', 'Invalid email address'],
    ['an address that is a list', { ...good, email: ['maya@example.com'] }, 'email', 'Invalid email address'],
    [
      'an address of 255 characters',
      { ...good, email: `${'x'.repeat(243)}@example.com` },
      'email',
      'Invalid email address',
    ],
    ['no password', { ...good, password: undefined }, 'password', 'Password must be at least 8 characters'],
    ['a short password', { ...good, password: 'Aa1!' }, 'password', 'Password must be at least 8 characters'],
    [
      'a long password',
      { ...good, password: `Aa1!${'x'.repeat(125)}` },
      'password',
      'Password must be at most 128 characters',
    ],
    [
      'a simple password',
      { ...good, password: 'alllowercase' },
      'password',
      'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character',
    ],
    ['a time zone that is none', { ...good, timeZone: 'Mars/Olympus' }, 'timeZone', 'Unknown time zone'],
    ['a blank organisation', { ...good, organizationName: ' ' }, 'organizationName', 'Organisation name is required'],
  ])('[5.1 5.6 D39] %s: 422, nothing written', async (_, body, path, message) => {
    const before = await counts();
    const answer = await visitor().post('/api/signup', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message, errors: expect.arrayContaining([{ path, message }]) });
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['not JSON', '{"name":', {}, 400],
    ['null', 'null', {}, 422],
    ['a list', '[]', {}, 422],
    ['a NUL character', JSON.stringify({ ...good, name: 'Maya\u0000' }), {}, 422],
    ['another content type', 'name=Maya', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no content type', JSON.stringify(good), { 'content-type': '' }, 415],
    ['more than 100 KB', JSON.stringify({ ...good, bio: 'x'.repeat(103_000) }), {}, 413],
  ])('[D38] %s: a specific refusal', async (_, body, headers, status) => {
    const before = await counts();
    expect((await visitor().post('/api/signup', body, headers)).status).toBe(status);
    expect(await counts()).toEqual(before);
  });

  test('[S19 D38] protected and unknown fields change nothing', async () => {
    const { answer } = await founded();
    const foreign = (answer.body as unknown as { assignedTeam: { id: string } }).assignedTeam.id;
    const { orgId } = await founded();
    const protectedFields = {
      ...{ id: foreign, userId: foreign, orgId: foreign, teamId: foreign, role: 'admin', isActive: false },
      ...{
        totalMiles: 999,
        totalCentimiles: 99_900,
        streakCount: 99,
        badges: ['all'],
        passwordHash: 'x',
        sid: foreign,
      },
      ...{ __proto__: { role: 'admin' }, constructor: { prototype: { role: 'admin' } }, assignedTeam: { id: foreign } },
    };
    const member = visitor();
    expect((await member.signUp({ invite: await invite(orgId), ...protectedFields })).status).toBe(200);
    const me = (await member.get('/api/me')).body;
    expect(me).toMatchObject({ role: 'member', totalMiles: 0, streakCount: 0 });
    expect(me['id']).not.toBe(foreign);
    expect(me['team']).not.toMatchObject({ id: foreign });
    expect(await organisationOf(member)).toBe(orgId);
  });
});

describe('a name', () => {
  test.each([
    ['Arabic', 'مايا أوكافور'],
    ['emoji with joiners', '👩🏽‍🚀 Maya 🏳️‍🌈'],
    ['combining marks', 'Zoe\u0301 ẞ'],
    ['an injection', `Robert'); drop table persons;--`],
    ['a script', '<script>alert(1)</script>'],
    ['eighty astral characters', '𝕸'.repeat(80)],
  ])('[D39 S35] in %s is kept as it was typed', async (_, name) => {
    const one = visitor();
    expect((await one.signUp({ name })).status).toBe(200);
    expect((await one.get('/api/me')).body['name']).toBe(name);
  });
});

describe('a password', () => {
  test.each([
    ['of 128 characters', `Aa1!${'x'.repeat(124)}`],
    ['with spaces at both ends', '  Aa1! spaced out  '],
    ['of emoji and letters', 'Aa1🔥🔥🔥🔥🔥'],
    ['in other scripts', 'Пароль-٣٤٥-Ж!ж'],
  ])('[S14] %s is taken unmodified', async (_, secret) => {
    const email = newEmail();
    expect((await visitor().signUp({ email, password: secret })).status).toBe(200);
    expect((await visitor().login(email, secret)).status).toBe(200);
    expect((await visitor().login(email, `${secret} `)).status).toBe(401);
    expect((await visitor().login(email, secret.trim() === secret ? secret.slice(0, -1) : secret.trim())).status).toBe(
      401,
    );
  });
});
