import { randomUUID } from '@caravan/contracts/testing/seeded';
import { managedTeamSchema, managedTeamsSchema } from '@caravan/contracts/http/organisations';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import {
  foundOrganisation,
  idOf,
  invite,
  joinOrganisation,
  protectedFields,
  recordedTypes,
} from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const owls = { name: 'Night Owls', emoji: '🦉' };
const list = async (admin: Visitor) => managedTeamsSchema.parse((await admin.get('/api/teams')).body);
const form = async (admin: Visitor, naming: object = owls) =>
  managedTeamSchema.strict().parse((await admin.post('/api/teams', naming)).body);
const change = (admin: Visitor, id: string, body: unknown) => admin.call('PATCH', `/api/teams/${id}`, body);

describe('teams', () => {
  test('[D2 D43 S20] begin with two; an admin forms more', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const live = await listenLive(identity.env, orgId);
    const answer = await admin.post('/api/teams', { name: '  Night Owls ', emoji: '🦉' });
    expect(answer.status).toBe(201);
    expect(managedTeamSchema.strict().parse(answer.body)).toEqual({
      id: expect.any(String),
      ...owls,
      memberCount: 0,
      retired: false,
      formedAt: expect.any(String),
    });
    expect(answer.headers.get('x-event-position')).toMatch(/^identity:\d+@\d+$/);
    expect((await list(admin)).map(({ name, memberCount }) => `${name} ${memberCount}`)).toEqual([
      'Thunder 1',
      'Blazers 0',
      'Night Owls 0',
    ]);
    await expect.poll(() => [...live.kinds]).toContain('teams');
    await live.close();
  });

  test('[D38] formed twice under one Idempotency-Key are one', async () => {
    const { admin } = await foundOrganisation(identity);
    const headers = { 'idempotency-key': 'owls' };
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('/api/teams', owls, headers)));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await list(admin)).toHaveLength(3);
  });

  test.each(['Night Owls', 'NIGHT OWLS', ' night owls '])(
    '[D2] %j is taken while a team of this name is open',
    async (name) => {
      const { admin } = await foundOrganisation(identity);
      const { id } = await form(admin);
      const other = await form(admin, { name: 'Ünder', emoji: '🐢' });
      const refused = {
        status: 422,
        body: { message: 'There is already a team of this name', errors: [{ path: 'name' }] },
      };
      expect(await admin.post('/api/teams', { name, emoji: '🐢' })).toMatchObject(refused);
      expect(await change(admin, other.id, { name })).toMatchObject(refused);
      expect(await admin.post('/api/teams', { name: 'üNDER', emoji: '🐢' })).toMatchObject(refused);
      await change(admin, id, { retired: true });
      expect((await admin.post('/api/teams', { name, emoji: '🐢' })).status).toBe(201);
      expect(await change(admin, id, { retired: false })).toMatchObject(refused);
      expect((await change(admin, id, { retired: false, name: 'Early Birds' })).body).toMatchObject({
        retired: false,
        name: 'Early Birds',
        emoji: '🦉',
      });
    },
  );

  test('[D2] of one name cannot be formed twenty times at once', async () => {
    const { admin } = await foundOrganisation(identity);
    await identity.warm();
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post('/api/teams', owls)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(422)]);
  });

  test('[D2] are renamed, for everybody and at once', async () => {
    const { admin, assignedTeam, orgId } = await foundOrganisation(identity);
    const live = await listenLive(identity.env, orgId);
    const { status, body } = await change(admin, assignedTeam.id, { name: 'Storm', emoji: '🌩️' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Storm', emoji: '🌩️', memberCount: 1 });
    expect((await admin.get('/api/me')).body['team']).toEqual({ id: assignedTeam.id, name: 'Storm', emoji: '🌩️' });
    await expect.poll(() => [...live.kinds]).toEqual(expect.arrayContaining(['teams', 'me', 'members']));
    await live.close();
    await change(admin, assignedTeam.id, { name: 'Storm' });
    expect((await recordedTypes(identity, orgId)).filter((type) => type === 'TeamRenamed')).toHaveLength(1);
    expect((await change(admin, assignedTeam.id, { name: 'STORM' })).body['name']).toBe('STORM');
  });

  test('[D2] with active members are not retired, nor is the last one', async () => {
    const { admin, assignedTeam, orgId } = await foundOrganisation(identity);
    const [, blazers] = await list(admin);
    const code = await invite(identity, orgId, { team_id: assignedTeam.id });
    for (let nth = 0; nth < 4; nth += 1) await identity.visitor().signUp({ invite: code });
    const refused = await change(admin, assignedTeam.id, { retired: true, name: 'Gone' });
    expect(refused).toMatchObject({ status: 422, body: { message: 'Move its 5 members to another team first' } });
    expect((await list(admin))[0]).toMatchObject({ name: 'Thunder', retired: false, memberCount: 5 });
    expect((await change(admin, blazers?.id ?? '', { retired: true })).body['retired']).toBe(true);
    for (const { id } of (await admin.get('/api/members')).body as unknown as { id: string }[])
      if (id !== idOf(admin)) await admin.call('PATCH', `/api/members/${id}`, { isActive: false });
    expect((await change(admin, assignedTeam.id, { retired: true })).body['message']).toBe(
      'Move its 1 member to another team first',
    );
    const owlTeam = await form(admin);
    await admin.call('PATCH', `/api/members/${idOf(admin)}`, { teamId: owlTeam.id });
    expect((await change(admin, assignedTeam.id, { retired: true })).status).toBe(200);
    expect((await list(admin)).map(({ name, retired }) => `${name} ${retired}`)).toEqual([
      'Night Owls false',
      'Thunder true',
      'Blazers true',
    ]);
  });

  test('[D2] the last open team is not retired even when it is empty', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const [thunder, blazers] = await list(admin);
    await change(admin, blazers?.id ?? '', { retired: true });
    await identity.rows('update team_rosters set active_members = 0 where org_id = $1', [orgId]);
    expect(await change(admin, thunder?.id ?? '', { retired: true })).toMatchObject({
      status: 422,
      body: { message: 'The last team cannot be retired' },
    });
  });

  test('[D2 D43] that are retired take nobody: newcomers and invites go to the smallest open one', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const { id } = await form(admin);
    const code = await invite(identity, orgId, { team_id: id });
    await change(admin, id, { retired: true });
    const newcomer = identity.visitor();
    const { body } = await newcomer.signUp({ invite: code });
    expect(body['assignedTeam']).toMatchObject({ name: 'Blazers' });
    expect((await (await joinOrganisation(identity, orgId)).get('/api/me')).body['team']).toMatchObject({
      name: 'Thunder',
    });
  });

  test('[D2] whoever comes back to a retired team comes back to the smallest', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const { id } = await form(admin);
    const maya = await joinOrganisation(identity, orgId);
    const path = `/api/members/${idOf(maya)}`;
    await admin.call('PATCH', path, { teamId: id });
    await admin.call('PATCH', path, { isActive: false });
    await change(admin, id, { retired: true });
    expect((await admin.call('PATCH', path, { isActive: true })).body['team']).toMatchObject({ name: 'Blazers' });
  });
});

describe('what is said of a team', () => {
  test.each([
    [{ emoji: '🦉' }, 'Team name is required'],
    [{ name: '  ', emoji: '🦉' }, 'Team name is required'],
    [{ name: '\u200b', emoji: '🦉' }, 'Team name is required'],
    [{ name: null, emoji: '🦉' }, 'Team name is required'],
    [{ name: 'x'.repeat(41), emoji: '🦉' }, 'Team name must be at most 40 characters'],
    [{ name: 'a\u0007b', emoji: '🦉' }, 'Control characters are not allowed'],
    [{ name: 'a\u0000b', emoji: '🦉' }, 'NUL characters are not allowed'],
    [{ name: '\ud83d', emoji: '🦉' }, /./],
    [{ name: 'Owls' }, 'Choose an emoji'],
    [{ name: 'Owls', emoji: '' }, 'Choose one emoji'],
    [{ name: 'Owls', emoji: 'x' }, 'Choose one emoji'],
    [{ name: 'Owls', emoji: '🦉🦉' }, 'Choose one emoji'],
    [{ name: 'Owls', emoji: '<b>' }, 'Choose one emoji'],
  ])('[D38] %j is refused', async (body, message) => {
    const { admin } = await foundOrganisation(identity);
    const answer = await admin.post('/api/teams', body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(await list(admin)).toHaveLength(2);
  });

  test.each([
    ['🦉'.repeat(40), '👨‍👩‍👧‍👦'],
    ['فريق الفجر', '🏳️‍🌈'],
    ['<script>alert(1)</script>', '1️⃣'],
    ["Robert'); drop table teams; --", '🇩🇪'],
  ])('[D2 S35] may be called %j', async (name, emoji) => {
    const { admin } = await foundOrganisation(identity);
    expect(await form(admin, { name, emoji })).toMatchObject({ name, emoji });
    expect((await list(admin)).at(-1)).toMatchObject({ name, emoji });
  });

  test('[D4 S18 S21] of another organisation do not exist, and members manage none', async () => {
    const ours = await foundOrganisation(identity);
    const theirs = await foundOrganisation(identity);
    for (const id of [theirs.assignedTeam.id, randomUUID(), 'nonsense'])
      expect((await change(ours.admin, id, { name: 'Mine' })).status).toBe(404);
    const member = await joinOrganisation(identity, ours.orgId);
    for (const answer of [
      await member.get('/api/teams'),
      await member.post('/api/teams', owls),
      await change(member, ours.assignedTeam.id, { name: 'Mine' }),
    ])
      expect(answer.status).toBe(403);
    expect(JSON.stringify(await list(ours.admin))).not.toContain(theirs.assignedTeam.id);
  });

  test('[S19] change by what is named and nothing else', async () => {
    const { admin } = await foundOrganisation(identity);
    const { id } = await form(admin, { ...owls, ...protectedFields, retired: true });
    const before = await list(admin);
    expect(before.at(-1)).toMatchObject({ ...owls, memberCount: 0, retired: false });
    expect(id).not.toBe(protectedFields.id);
    expect((await change(admin, id, protectedFields)).status).toBe(200);
    expect(await list(admin)).toEqual(before);
  });
});
