import { managedMembersSchema } from '@caravan/contracts/http/organisations';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { founded, idOf, joined, protectedFields, recorded, rosters } from '../../testing/organisations.ts';
import { newEmail, type Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const change = (admin: Visitor, id: string, body: unknown) => admin.call('PATCH', `/api/members/${id}`, body);
const list = async (admin: Visitor, query = '') => {
  const { status, body, headers } = await admin.get(`/api/members${query}`);
  expect(status).toBe(200);
  return { members: managedMembersSchema.parse(body), link: headers.get('link') };
};

async function organisation() {
  const { admin, orgId } = await founded(identity, { name: 'Zoë Admin' });
  const [maya, omar] = [
    await joined(identity, orgId, { name: 'Maya Okafor' }),
    await joined(identity, orgId, { name: 'Ömar 100%' }),
  ];
  const teams = await identity.rows<{ team_id: string }>(
    'select team_id from teams where org_id = $1 order by team_id',
    [orgId],
  );
  const [thunder, blazers] = teams.map((team) => team.team_id) as [string, string];
  return { admin, orgId, maya, omar, thunder, blazers };
}

describe('GET /api/members', () => {
  test('[D43 S20] lists every member with exactly these fields, by name', async () => {
    const { admin, maya, blazers } = await organisation();
    const { members } = await list(admin);
    expect(members.map(({ name }) => name)).toEqual(['Maya Okafor', 'Ömar 100%', 'Zoë Admin']);
    expect(managedMembersSchema.element.strict().parse(members[0])).toEqual({
      ...{ id: idOf(maya), name: 'Maya Okafor', email: expect.any(String), role: 'member', isActive: true },
      ...{ team: { id: blazers, name: 'Blazers', emoji: '🔥' }, totalMiles: 0, lastActivityDate: null },
      joinedAt: expect.any(String),
    });
  });

  test.each([
    ['?q=MAYA', 1],
    ['?q=omar', 1],
    ['?q=%C3%B6M', 1],
    ['?q=100%25', 1],
    ['?q=%25', 1],
    ['?q=_', 0],
    ['?q=caravan.test', 3],
    ["?q=' or true --", 0],
    ['?role=admin', 1],
    ['?role=member&q=o', 2],
    ['?status=active', 3],
    ['?status=inactive', 0],
    ['?teamId=nonsense', 0],
    ['?q=', 3],
  ])('[D43] %s finds %i', async (query, found) => {
    const { admin } = await organisation();
    expect((await list(admin, query)).members).toHaveLength(found);
  });

  test('[D43] a team is who belongs to it', async () => {
    const { admin, thunder, blazers } = await organisation();
    expect((await list(admin, `?teamId=${thunder}`)).members).toHaveLength(2);
    expect((await list(admin, `?teamId=${blazers}&role=member`)).members).toHaveLength(1);
  });

  test.each(['name', '-name', 'joined', '-joined', 'miles', '-miles', 'active', '-active'])(
    '[D17 D43] sorted by %s, pages follow one another without gap or repetition',
    async (sort) => {
      const { admin, orgId, maya } = await organisation();
      for (const name of ['Same', 'Same', 'same']) await joined(identity, orgId, { name });
      await identity.rows(
        "update member_scores set total_centimiles = 250, run_started_on = '2026-11-01', run_ended_on = '2026-11-02' where user_id = $1",
        [idOf(maya)],
      );
      const { members: all } = await list(admin, `?sort=${sort}&limit=50`);
      const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
      expect((await list(admin, `?sort=${opposite}&limit=50`)).members).toEqual(all.toReversed());
      if (sort === '-miles' || sort === '-active')
        expect(all[0]).toMatchObject({ name: 'Maya Okafor', totalMiles: 2.5, lastActivityDate: '2026-11-02' });
      const walked = [];
      for (let path: string | undefined = `/api/members?sort=${sort}&limit=2`; path;) {
        const { body, headers } = await admin.get(path);
        walked.push(...managedMembersSchema.parse(body));
        path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(walked).toEqual(all);
      expect(walked).toHaveLength(6);
    },
  );

  test('[D17] a name of any script and length leads to the next page', async () => {
    const { admin, orgId } = await founded(identity, { name: '각'.repeat(80) });
    await joined(identity, orgId, { name: `${'각'.repeat(79)}힣` });
    const { members, link } = await list(admin, '?limit=1');
    const next = /<(.*)>/.exec(link ?? '')?.[1] ?? '';
    expect((await list(admin, next.replace('/api/members', ''))).members[0]?.id).not.toBe(members[0]?.id);
  });

  test.each([
    ['?limit=0', 'limit must be a whole number of 1 or more'],
    ['?sort=email', /^sort must be one of/],
    ['?status=asleep', 'status must be active or inactive'],
    ['?role=owner', /./],
    ['?cursor=abc', /start again from the first/],
    ['?q=%00', /./],
  ])('[D38] %s is refused', async (query, message) => {
    const { admin } = await organisation();
    const { status, body } = await admin.get(`/api/members${query}`);
    expect(status).toBe(422);
    expect(body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('[D38] a limit above 50 is 50, and a cursor of another order is refused', async () => {
    const { admin } = await organisation();
    expect((await list(admin, '?limit=5000')).members).toHaveLength(3);
    const { link } = await list(admin, '?limit=1');
    const cursor = /cursor=([\w-]+)/.exec(link ?? '')?.[1] ?? '';
    expect((await admin.get(`/api/members?sort=-name&cursor=${cursor}`)).status).toBe(422);
  });
});

describe('PATCH /api/members/{id}', () => {
  test('[D2 D43] moves, appoints and deactivates at once, and tells it', async () => {
    const { admin, orgId, maya, thunder } = await organisation();
    const live = await listenLive(identity.env, orgId);
    const { status, body } = await change(admin, idOf(maya), { teamId: thunder, role: 'admin', isActive: false });
    expect(status).toBe(200);
    expect(body).toMatchObject({ role: 'admin', isActive: false, team: { id: thunder, name: 'Thunder' } });
    expect((await recorded(identity, orgId)).slice(-3)).toEqual(['MemberMoved', 'AdminAppointed', 'MemberDeactivated']);
    await expect.poll(() => [...live.kinds]).toEqual(expect.arrayContaining(['members', 'teams', 'people']));
    await live.close();
    for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
  });

  test('[S06 D4] deactivation ends every session at once, and nobody signs in until it is taken back', async () => {
    const { admin, orgId } = await organisation();
    const email = newEmail();
    const lena = await joined(identity, orgId, { email });
    const other = identity.visitor();
    await other.login(email);
    expect((await change(admin, idOf(lena), { isActive: false })).status).toBe(200);
    for (const visitor of [lena, other]) {
      expect((await visitor.get('/api/me')).status).toBe(401);
      expect((await visitor.refresh()).status).toBe(401);
    }
    expect((await identity.visitor().login(email)).status).toBe(401);
    const ended = await identity.rows('select end_reason from sessions where user_id = $1', [idOf(lena)]);
    expect(ended).toEqual([{ end_reason: 'deactivated' }, { end_reason: 'deactivated' }]);
    expect((await change(admin, idOf(lena), { isActive: true })).body['isActive']).toBe(true);
    expect((await identity.visitor().login(email)).status).toBe(200);
  });

  test('[D3] a change of role ends the sessions; the next one has the new role', async () => {
    const { admin, orgId } = await organisation();
    const email = newEmail();
    const lena = await joined(identity, orgId, { email });
    expect((await lena.get('/api/members')).status).toBe(403);
    await change(admin, idOf(lena), { role: 'admin' });
    expect((await lena.get('/api/me')).status).toBe(401);
    expect((await lena.login(email)).body['user']).toMatchObject({ role: 'admin' });
    expect((await lena.get('/api/members')).status).toBe(200);
    await change(admin, idOf(lena), { role: 'member' });
    expect((await lena.get('/api/members')).status).toBe(401);
  });

  test('[D2] a move keeps the sessions', async () => {
    const { admin, maya, thunder } = await organisation();
    await change(admin, idOf(maya), { teamId: thunder });
    expect((await maya.get('/api/me')).body['team']).toMatchObject({ name: 'Thunder' });
  });

  test('[D3] the last active admin keeps role and account, may move, and may go once there is another', async () => {
    const { admin, maya, blazers } = await organisation();
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
    const { admin, orgId, maya } = await organisation();
    const { body: team } = await admin.post('/api/teams', { name: 'Owls', emoji: '🦉' });
    await admin.call('PATCH', `/api/teams/${String(team['id'])}`, { retired: true });
    expect(await change(admin, idOf(maya), { teamId: team['id'] })).toMatchObject({
      status: 422,
      body: { message: 'This team is retired and takes nobody', errors: [{ path: 'teamId' }] },
    });
    const foreign = await organisation();
    const before = await recorded(identity, orgId);
    for (const teamId of [foreign.thunder, crypto.randomUUID(), 'nonsense', ''])
      expect((await change(admin, idOf(maya), { teamId, role: 'admin' })).status).toBe(404);
    expect(await recorded(identity, orgId)).toEqual(before);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[D4 S18] another organisation’s member does not exist, nor does nobody', async () => {
    const { admin } = await organisation();
    const foreign = await organisation();
    const before = (await list(foreign.admin)).members;
    for (const id of [idOf(foreign.maya), idOf(foreign.admin), crypto.randomUUID(), 'me', "1'--"])
      expect((await change(admin, id, { isActive: false, role: 'admin' })).status).toBe(404);
    expect((await list(foreign.admin)).members).toEqual(before);
  });

  test('[S21 D3] is for admins', async () => {
    const { maya, omar } = await organisation();
    for (const answer of [
      await maya.get('/api/members'),
      await change(maya, idOf(omar), { role: 'admin' }),
      await change(maya, idOf(maya), { role: 'admin' }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth/not-an-admin' } });
  });

  test('[S19] changes nothing but what it names', async () => {
    const { admin, maya } = await organisation();
    const { members: before } = await list(admin);
    const { status } = await change(admin, idOf(maya), {
      ...protectedFields,
      ...{ name: 'X', email: 'x@x.xx', team: { id: 'x' }, lastActivityDate: '2020-01-01' },
    });
    expect(status).toBe(200);
    expect((await list(admin)).members).toEqual(before);
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
    const { admin, maya } = await organisation();
    const answer = await change(admin, idOf(maya), body);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('[D3] two admins who demote each other fifty times at once never leave none', async () => {
    const { admin, orgId, maya } = await organisation();
    const email = newEmail();
    const other = await joined(identity, orgId, { email });
    await change(admin, idOf(other), { role: 'admin' });
    await other.login(email);
    await identity.warm();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        nth % 2 ? change(admin, idOf(other), { role: 'member' }) : change(other, idOf(admin), { isActive: false }),
      ),
    );
    for (const { status } of answers) expect([200, 401, 403, 422]).toContain(status);
    const left = await identity.rows(
      "select user_id from memberships where org_id = $1 and role = 'admin' and is_active",
      [orgId],
    );
    expect(left).toHaveLength(1);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[D3] two admins who lay down their own role at once leave one', async () => {
    const { admin, orgId } = await organisation();
    const email = newEmail();
    const other = await joined(identity, orgId, { email });
    await change(admin, idOf(other), { role: 'admin' });
    await other.login(email);
    await identity.warm();
    const answers = await Promise.all([admin, other].map((self) => change(self, idOf(self), { role: 'member' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

test('[D2] sign-ups, moves and deactivations at once leave balanced teams and exact rosters', async () => {
  const { admin, orgId, thunder, blazers } = await organisation();
  const members = await Promise.all(Array.from({ length: 12 }, () => joined(identity, orgId)));
  await identity.warm();
  await Promise.all([
    ...members.map((one, nth) =>
      nth % 3 === 0
        ? change(admin, idOf(one), { isActive: false })
        : change(admin, idOf(one), { teamId: nth % 2 ? thunder : blazers }),
    ),
    ...Array.from({ length: 20 }, () => joined(identity, orgId)),
  ]);
  for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
  // Whatever the moves left, newcomers even it out.
  await Promise.all(Array.from({ length: 30 }, () => joined(identity, orgId)));
  const after = await rosters(identity, orgId);
  for (const { active, counted } of after) expect(counted).toBe(active);
  const [smaller, larger] = after.map(({ active }) => active);
  expect((larger ?? 0) - (smaller ?? 0)).toBeLessThanOrEqual(1);
});
