import { randomUUID } from '@caravan/contracts/testing/seeded';
import { inviteSchema } from '@caravan/contracts/http/organisations';
import { eventually } from '@caravan/event-store/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf, counts, foundOrganisation, idOf, invite, toldOf } from '../../testing/organisations.ts';
import { newEmail, type Visitor } from '../../testing/visitor.ts';
import { AccountCreation } from './sign-up.service.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

describe('an invite', () => {
  test('[D1] leads into its organisation as member, and counts', async () => {
    const { orgId } = await foundOrganisation(identity, { timeZone: 'Europe/Lisbon' });
    const code = await invite(identity, orgId);
    const member = identity.visitor();
    const answer = await member.signUp({ invite: code, organizationName: 'ignored', role: 'admin' });
    expect(answer.body).toMatchObject({ user: { role: 'member' }, assignedTeam: { name: 'Blazers' } });
    expect(claimsOf(member).org).toBe(orgId);
    expect((await member.get('/api/me')).body['timeZone']).toBe('Europe/Lisbon');
    expect(await identity.rows('select uses from invites where code = $1', [code])).toEqual([{ uses: 1 }]);
  });

  test('[D1 D27] that was used is told with whoever made it, or nobody where they are gone', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const made = inviteSchema.parse((await admin.post('/api/invites', {})).body);
    const first = identity.visitor();
    const second = identity.visitor();
    await first.signUp({ invite: made.code });
    // Its maker is somebody who is not there.
    await second.signUp({ invite: await invite(identity, orgId) });
    const joinedFact = (of: Visitor, invitedBy: string | null) => ({
      type: 'InviteUsed',
      key: orgId,
      data: { inviteId: expect.any(String), userId: idOf(of), invitedBy, usedAt: expect.any(String) },
    });
    expect(await toldOf(identity, orgId, 'InviteUsed')).toEqual([
      joinedFact(first, idOf(admin)),
      joinedFact(second, null),
    ]);
  });

  test('[D43] that names a team leads into it', async () => {
    const { orgId, assignedTeam } = await foundOrganisation(identity);
    const code = await invite(identity, orgId, { team_id: assignedTeam.id });
    expect((await identity.visitor().signUp({ invite: code })).body['assignedTeam']).toMatchObject({
      id: assignedTeam.id,
    });
  });

  test.each([
    ['unknown', {}, 'This invite is not known'],
    ['expired', { expires_at: new Date(Date.now() - 1) }, 'This invite has expired'],
    ['used-up', { max_uses: 2, uses: 2 }, 'This invite has been used up'],
    ['revoked', { revoked_at: new Date() }, 'This invite has been withdrawn'],
    ['other-domain', { domains: ['acme.example'] }, 'This invite is for addresses at acme.example'],
  ])('[D1] that is %s is refused with 422 that says so, and nothing is created', async (reason, changes, message) => {
    const { orgId } = await foundOrganisation(identity);
    const code = await invite(identity, orgId, changes);
    const before = await counts(identity);
    const answer = await identity.visitor().signUp({ invite: reason === 'unknown' ? 'NO-SUCH-CODE' : code });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: `invite/${reason}`, message, errors: [{ path: 'invite', message }] });
    expect(await counts(identity)).toEqual(before);
  });

  test('[D1] with three uses left admits three of ten who come at once', async () => {
    const { orgId } = await foundOrganisation(identity);
    const code = await invite(identity, orgId, { max_uses: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => identity.visitor().signUp({ invite: code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body } of answers) if (status !== 200) expect(body['code']).toBe('invite/used-up');
    expect(await identity.rows('select from persons where org_id = $1', [orgId])).toHaveLength(4);
  });
});

test('[D2] fifty who join at once end up in balanced teams, each told the team that is theirs', async () => {
  const { orgId } = await foundOrganisation(identity);
  const code = await invite(identity, orgId);
  const visitors = Array.from({ length: 50 }, () => identity.visitor());
  const answers = await Promise.all(visitors.map((one) => one.signUp({ invite: code })));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
  const teams = await identity.rows<{ members: number; counted: number }>(
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

test('[D2] fifty who sign up at the same moment end up in balanced teams', async () => {
  const { orgId } = await foundOrganisation(identity);
  await identity.warm();
  const accounts = identity.app.get(AccountCreation);
  const destination = { orgId, role: 'member', timeZone: 'UTC', foundAs: null } as const;
  const uninvited = { inviteId: null, teamId: null, pendingDomains: [] };
  await Promise.all(
    // Who finds no connection free in time is told to come again, and does.
    Array.from({ length: 50 }, () =>
      eventually(() => {
        const person = { userId: randomUUID(), name: 'Omar', email: newEmail(), passwordHash: '', timeZone: 'UTC' };
        return accounts.create({ ...person, userAgent: undefined }, { ...destination, ...uninvited }, new Date());
      }),
    ),
  );
  const teams = await identity.rows<{ activeMembers: number }>(
    'select active_members from team_rosters where org_id = $1',
    [orgId],
  );
  expect(teams.map((team) => team.activeMembers).toSorted()).toEqual([25, 26]);
});
