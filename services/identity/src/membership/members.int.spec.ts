import { managedMembersSchema } from '@caravan/contracts/http/organisations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { foundOrganisation, idOf, joinOrganisation, organisation } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const list = async (admin: Visitor, query = '') => {
  const { status, body, headers } = await admin.get(`/api/members${query}`);
  expect(status).toBe(200);
  return { members: managedMembersSchema.parse(body), link: headers.get('link') };
};

describe('GET /api/members', () => {
  test('[D43 S20] lists every member with exactly these fields, by name', async () => {
    const { admin, maya, blazers } = await organisation(identity);
    const { members } = await list(admin);
    expect(members.map(({ name }) => name)).toEqual(['Maya Okafor', 'Ömar 100%', 'Zoë Admin']);
    expect(managedMembersSchema.element.strict().parse(members[0])).toEqual({
      id: idOf(maya),
      name: 'Maya Okafor',
      email: expect.any(String),
      role: 'member',
      isActive: true,
      team: { id: blazers, name: 'Blazers', emoji: '🔥' },
      totalMiles: 0,
      lastActivityDate: null,
      joinedAt: expect.any(String),
      isEmailConfirmed: false,
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
    const { admin } = await organisation(identity);
    expect((await list(admin, query)).members).toHaveLength(found);
  });

  test('[D43] a team is who belongs to it', async () => {
    const { admin, thunder, blazers } = await organisation(identity);
    expect((await list(admin, `?teamId=${thunder}`)).members).toHaveLength(2);
    expect((await list(admin, `?teamId=${blazers}&role=member`)).members).toHaveLength(1);
  });

  test.each(['name', '-name', 'joined', '-joined', 'miles', '-miles', 'active', '-active'])(
    '[D17 D43] sorted by %s, pages follow one another without gap or repetition',
    async (sort) => {
      const { admin, orgId, maya } = await organisation(identity);
      for (const name of ['Same', 'Same', 'same']) await joinOrganisation(identity, orgId, { name });
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
    const { admin, orgId } = await foundOrganisation(identity, { name: '각'.repeat(80) });
    await joinOrganisation(identity, orgId, { name: `${'각'.repeat(79)}힣` });
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
    const { admin } = await organisation(identity);
    const { status, body } = await admin.get(`/api/members${query}`);
    expect(status).toBe(422);
    expect(body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('[D38] a limit above 50 is 50, and a cursor of another order is refused', async () => {
    const { admin } = await organisation(identity);
    expect((await list(admin, '?limit=5000')).members).toHaveLength(3);
    const { link } = await list(admin, '?limit=1');
    const cursor = /cursor=([\w-]+)/.exec(link ?? '')?.[1] ?? '';
    expect((await admin.get(`/api/members?sort=-name&cursor=${cursor}`)).status).toBe(422);
  });
});
