import { randomUUID } from '@caravan/contracts/testing/seeded';
import { signupAnswerSchema } from '@caravan/contracts/http/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { counts, foundOrganisation, recordedTypes } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

describe('signing up', () => {
  test('[7.5 3.25 S20] answers token, user and assigned team, nothing more, and signs in', async () => {
    const maya = identity.visitor();
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
    const { admin, answer, orgId } = await foundOrganisation(identity, { organizationName: undefined });
    expect(answer.body).toMatchObject({ user: { role: 'admin' } });
    expect((await admin.get('/api/org/branding')).body).toEqual({
      primaryColor: '#ea580c',
      welcomeMessage: 'Welcome to your team wellness platform!',
      name: "Maya Okafor's Organization",
      logoUrl: null,
    });
    const teams = await identity.rows('select name, emoji from teams where org_id = $1 order by team_id', [orgId]);
    expect(teams).toEqual([
      { name: 'Thunder', emoji: '⚡' },
      { name: 'Blazers', emoji: '🔥' },
    ]);
  });

  test('[D1 D2] records the founding, both teams and the member, in this order', async () => {
    const { orgId } = await foundOrganisation(identity);
    expect(await recordedTypes(identity, orgId)).toEqual([
      'OrganisationFounded',
      'TeamFormed',
      'TeamFormed',
      'MemberJoined',
    ]);
  });

  test('[D1] the log holds no name, address or password', async () => {
    const canary = `Canary${randomUUID().slice(0, 8)}`;
    await foundOrganisation(identity, {
      name: canary,
      email: `${canary}@example.com`,
      organizationName: canary,
      password: `${canary}!aA1`,
    });
    const log = await identity.rows('select data, meta from es.events');
    expect(JSON.stringify(log)).not.toContain(canary);
  });

  test('[D1] the position of the write is told, for the person who signed up', async () => {
    const answer = await identity.visitor().signUp();
    expect(answer.headers.get('x-event-position')).toMatch(/^identity:\d+@\d+$/);
    expect(answer.headers.get('x-event-subject')).toBe((answer.body['user'] as { id: string }).id);
  });

  test('[S12] stores argon2id with today’s parameters and never the password', async () => {
    await foundOrganisation(identity);
    const stored = await identity.rows<{ passwordHash: string }>('select password_hash from credentials');
    for (const row of stored)
      expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires'])('[D39] keeps the time zone %s', async (timeZone) => {
    const { admin } = await foundOrganisation(identity, { timeZone });
    expect((await admin.get('/api/me')).body['timeZone']).toBe(timeZone);
  });
});

describe('an address', () => {
  test('[D39] is one account regardless of case', async () => {
    const email = newEmail();
    expect((await identity.visitor().signUp({ email })).status).toBe(200);
    const before = await counts(identity);
    const answer = await identity.visitor().signUp({ email: email.toUpperCase() });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'email/address-taken' });
    expect(await counts(identity)).toEqual(before);
  });

  test('[D39] taken twenty times at once is one account, in one organisation', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        identity.visitor().signUp({ email: nth % 2 ? email : email.toUpperCase() }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(409)]);
    const found = await identity.rows('select from persons where lower(email) = $1', [email]);
    expect(found).toHaveLength(1);
  });

  test('[D39] taken twice at once by founders leaves no second organisation behind', async () => {
    const organizationName = `Twin ${randomUUID()}`;
    const email = newEmail();
    const answers = await Promise.all([1, 2].map(() => identity.visitor().signUp({ email, organizationName })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await identity.rows('select from organisations where name = $1', [organizationName])).toHaveLength(1);
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
    expect((await identity.visitor().signUp({ email, password: secret })).status).toBe(200);
    expect((await identity.visitor().login(email, secret)).status).toBe(200);
    expect((await identity.visitor().login(email, `${secret} `)).status).toBe(401);
    expect(
      (await identity.visitor().login(email, secret.trim() === secret ? secret.slice(0, -1) : secret.trim())).status,
    ).toBe(401);
  });
});
