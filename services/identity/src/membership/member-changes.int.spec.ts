import { randomUUID } from '@caravan/contracts/testing/seeded';
import { managedMembersSchema } from '@caravan/contracts/http/organisations';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import {
  idOf,
  joinOrganisation,
  organisation,
  protectedFields,
  recordedTypes,
  rosters,
} from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const change = (admin: Visitor, id: string, body: unknown) => admin.call('PATCH', `/api/members/${id}`, body);
const list = async (admin: Visitor) => managedMembersSchema.parse((await admin.get('/api/members')).body);

describe('PATCH /api/members/{id}', () => {
  test('[D2 D43] moves, appoints and deactivates at once, and tells it', async () => {
    const { admin, orgId, maya, thunder } = await organisation(identity);
    const live = await listenLive(identity.env, orgId);
    const { status, body } = await change(admin, idOf(maya), { teamId: thunder, role: 'admin', isActive: false });
    expect(status).toBe(200);
    expect(body).toMatchObject({ role: 'admin', isActive: false, team: { id: thunder, name: 'Thunder' } });
    expect((await recordedTypes(identity, orgId)).slice(-3)).toEqual([
      'MemberMoved',
      'AdminAppointed',
      'MemberDeactivated',
    ]);
    await expect.poll(() => [...live.kinds]).toEqual(expect.arrayContaining(['members', 'teams', 'people']));
    await live.close();
    for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
  });

  test('[S06 D4] deactivation ends every session at once, and nobody signs in until it is taken back', async () => {
    const { admin, orgId } = await organisation(identity);
    const email = newEmail();
    const lena = await joinOrganisation(identity, orgId, { email });
    const other = identity.visitor();
    await other.login(email);
    expect((await change(admin, idOf(lena), { isActive: false })).status).toBe(200);
    for (const visitor of [lena, other]) {
      expect((await visitor.get('/api/me')).status).toBe(401);
      expect((await visitor.refresh()).status).toBe(401);
    }
    expect((await identity.visitor().login(email)).status).toBe(401);
    const ended = await identity.rows('select end_reason from sessions where user_id = $1', [idOf(lena)]);
    expect(ended).toEqual([{ endReason: 'deactivated' }, { endReason: 'deactivated' }]);
    expect((await change(admin, idOf(lena), { isActive: true })).body['isActive']).toBe(true);
    expect((await identity.visitor().login(email)).status).toBe(200);
  });

  test('[D3] a change of role ends the sessions; the next one has the new role', async () => {
    const { admin, orgId } = await organisation(identity);
    const email = newEmail();
    const lena = await joinOrganisation(identity, orgId, { email });
    expect((await lena.get('/api/members')).status).toBe(403);
    await change(admin, idOf(lena), { role: 'admin' });
    expect((await lena.get('/api/me')).status).toBe(401);
    expect((await lena.login(email)).body['user']).toMatchObject({ role: 'admin' });
    expect((await lena.get('/api/members')).status).toBe(200);
    await change(admin, idOf(lena), { role: 'member' });
    expect((await lena.get('/api/members')).status).toBe(401);
  });

  test('[D2] a move keeps the sessions', async () => {
    const { admin, maya, thunder } = await organisation(identity);
    await change(admin, idOf(maya), { teamId: thunder });
    expect((await maya.get('/api/me')).body['team']).toMatchObject({ name: 'Thunder' });
  });

  test('[D2] a move concerns the member, whose next log waits for it though they were not shown it', async () => {
    const { admin, maya, thunder } = await organisation(identity);
    const { headers } = await change(admin, idOf(maya), { teamId: thunder });
    expect(headers.get('x-event-concerns')).toBe(idOf(maya));
    expect(headers.get('x-event-position')).toMatch(/^identity:\d+/);
  });

  test('[D2] whoever is shown the new team is told on which fact that stands, so that the next log waits for it', async () => {
    const { admin, maya, thunder, orgId } = await organisation(identity);
    // Less the epoch of the log, which restores begin anew.
    const standsOn = async (path: string) => (await maya.get(path)).headers.get('x-event-position')?.split('@')[0];
    const before = await standsOn('/api/me');
    await change(admin, idOf(maya), { teamId: thunder });
    const [moved] = await identity.rows<{ pos: number }>(
      `select pos from es.events where org_id = $1 and type = 'MemberMoved'`,
      [orgId],
    );
    expect(await standsOn('/api/me')).toBe(`identity:${moved?.pos}`);
    expect(await standsOn(`/api/users/${idOf(maya)}`)).toBe(`identity:${moved?.pos}`);
    expect(before).not.toBe(`identity:${moved?.pos}`);
    // What leaves no service is waited for by nobody.
    await change(admin, idOf(maya), { role: 'admin' });
    expect((await admin.get(`/api/users/${idOf(maya)}`)).headers.get('x-event-position')).toBeNull();
  });

  test('[D3] the last active admin keeps role and account, may move, and may go once there is another', async () => {
    const { admin, maya, blazers } = await organisation(identity);
    const id = idOf(admin);
    for (const [wish, message] of [
      [{ role: 'member' }, 'The last admin keeps this role'],
      [{ isActive: false }, 'The last admin cannot be deactivated'],
      [{ role: 'member', teamId: blazers }, 'The last admin keeps this role'],
    ] as const) {
      const { status, body } = await change(admin, id, wish);
      expect({ status, message: body['message'] }).toEqual({ status: 422, message });
    }
    expect((await change(admin, id, { teamId: blazers })).body).toMatchObject({ team: { name: 'Blazers' } });
    await change(admin, idOf(maya), { role: 'admin' });
    expect((await change(admin, id, { role: 'member' })).status).toBe(200);
    expect((await admin.get('/api/me')).status).toBe(401);
  });

  test('[D2 D4] a team that is retired takes nobody, one that is not ours or not there does not exist', async () => {
    const { admin, orgId, maya } = await organisation(identity);
    const { body: team } = await admin.post('/api/teams', { name: 'Owls', emoji: '🦉' });
    await admin.call('PATCH', `/api/teams/${String(team['id'])}`, { retired: true });
    expect(await change(admin, idOf(maya), { teamId: team['id'] })).toMatchObject({
      status: 422,
      body: { message: 'This team is retired and takes nobody', errors: [{ path: 'teamId' }] },
    });
    const foreign = await organisation(identity);
    const before = await recordedTypes(identity, orgId);
    for (const teamId of [foreign.thunder, randomUUID(), 'nonsense', ''])
      expect((await change(admin, idOf(maya), { teamId, role: 'admin' })).status).toBe(404);
    expect(await recordedTypes(identity, orgId)).toEqual(before);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[D4 S18] another organisation’s member does not exist, nor does nobody', async () => {
    const { admin } = await organisation(identity);
    const foreign = await organisation(identity);
    const before = await list(foreign.admin);
    for (const id of [idOf(foreign.maya), idOf(foreign.admin), randomUUID(), 'me', "1'--"])
      expect((await change(admin, id, { isActive: false, role: 'admin' })).status).toBe(404);
    expect(await list(foreign.admin)).toEqual(before);
  });

  test('[S21 D3] is for admins', async () => {
    const { maya, omar } = await organisation(identity);
    for (const answer of [
      await maya.get('/api/members'),
      await change(maya, idOf(omar), { role: 'admin' }),
      await change(maya, idOf(maya), { role: 'admin' }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth/not-an-admin' } });
  });

  test('[S19] changes nothing but what it names', async () => {
    const { admin, maya } = await organisation(identity);
    const before = await list(admin);
    const { status } = await change(admin, idOf(maya), {
      ...protectedFields,
      name: 'X',
      email: 'x@x.xx',
      team: { id: 'x' },
      lastActivityDate: '2020-01-01',
    });
    expect(status).toBe(200);
    expect(await list(admin)).toEqual(before);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test.each([
    [{ role: 'owner' }, 'Role must be member or admin'],
    [{ role: null }, 'Role must be member or admin'],
    [{ isActive: 'no' }, 'isActive is true or false'],
    [{ teamId: 'x'.repeat(65) }, /./],
    [{ teamId: 7 }, /./],
    [[], /./],
  ])('[D38] %j is refused', async (body, message) => {
    const { admin, maya } = await organisation(identity);
    const answer = await change(admin, idOf(maya), body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});
