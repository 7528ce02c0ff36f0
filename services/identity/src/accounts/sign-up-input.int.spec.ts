import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { claimsOf, counts, foundOrganisation, invite } from '../../testing/organisations.ts';
import { password } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

describe('a body that is not valid', () => {
  const good = { name: 'Maya Okafor', email: 'maya@example.com', password };
  for (const [what, body, path, message] of [
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
  ] as const)
    test(`[5.1 5.6 D39] ${what}: 422, nothing written`, async () => {
      const before = await counts(identity);
      const answer = await identity.visitor().post('/api/signup', body);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ message, errors: expect.arrayContaining([{ path, message }]) });
      expect(await counts(identity)).toEqual(before);
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
    const before = await counts(identity);
    expect((await identity.visitor().post('/api/signup', body, headers)).status).toBe(status);
    expect(await counts(identity)).toEqual(before);
  });

  test('[S19 D38] protected and unknown fields change nothing', async () => {
    const foreign = (await foundOrganisation(identity)).assignedTeam.id;
    const { orgId } = await foundOrganisation(identity);
    const protectedFields = {
      id: foreign,
      userId: foreign,
      orgId: foreign,
      teamId: foreign,
      role: 'admin',
      isActive: false,
      totalMiles: 999,
      totalCentimiles: 99_900,
      streakCount: 99,
      badges: ['all'],
      passwordHash: 'x',
      sid: foreign,
      __proto__: { role: 'admin' },
      constructor: { prototype: { role: 'admin' } },
      assignedTeam: { id: foreign },
    };
    const member = identity.visitor();
    expect((await member.signUp({ invite: await invite(identity, orgId), ...protectedFields })).status).toBe(200);
    const me = (await member.get('/api/me')).body;
    expect(me).toMatchObject({ role: 'member', totalMiles: 0, streakCount: 0 });
    expect(me['id']).not.toBe(foreign);
    expect(me['team']).not.toMatchObject({ id: foreign });
    expect(claimsOf(member).org).toBe(orgId);
  });
});

describe('a name', () => {
  test.each([
    ['Arabic', 'مايا أوكافور'],
    ['emoji with joiners', '👩🏽‍🚀 Maya 🏳️‍🌈'],
    ['composed letters', 'Zo\u00e9 ẞ'],
    ['an injection', `Robert'); drop table persons;--`],
    ['a script', '<script>alert(1)</script>'],
    ['eighty astral characters', '𝕸'.repeat(80)],
  ])('[D39 S35] in %s is kept as it was typed', async (_, name) => {
    const one = identity.visitor();
    expect((await one.signUp({ name })).status).toBe(200);
    expect((await one.get('/api/me')).body['name']).toBe(name);
  });

  test('[D39] in combining marks is kept composed', async () => {
    const one = identity.visitor();
    expect((await one.signUp({ name: ' Zoe\u0301 ' })).status).toBe(200);
    expect((await one.get('/api/me')).body['name']).toBe('Zo\u00e9');
  });
});
