import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { idOf, joinOrganisation, organisation, rosters } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const change = (admin: Visitor, id: string, body: unknown) => admin.call('PATCH', `/api/members/${id}`, body);

test('[D3] two admins who demote each other fifty times at once never leave none', async () => {
  const { admin, orgId, maya } = await organisation(identity);
  const email = newEmail();
  const other = await joinOrganisation(identity, orgId, { email });
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
  const { admin, orgId } = await organisation(identity);
  const email = newEmail();
  const other = await joinOrganisation(identity, orgId, { email });
  await change(admin, idOf(other), { role: 'admin' });
  await other.login(email);
  await identity.warm();
  const answers = await Promise.all([admin, other].map((self) => change(self, idOf(self), { role: 'member' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('[D2] sign-ups, moves and deactivations at once leave balanced teams and exact rosters', async () => {
  const { admin, orgId, thunder, blazers } = await organisation(identity);
  const members = await Promise.all(Array.from({ length: 12 }, () => joinOrganisation(identity, orgId)));
  await identity.warm();
  await Promise.all([
    ...members.map((one, nth) =>
      nth % 3 === 0
        ? change(admin, idOf(one), { isActive: false })
        : change(admin, idOf(one), { teamId: nth % 2 ? thunder : blazers }),
    ),
    ...Array.from({ length: 20 }, () => joinOrganisation(identity, orgId)),
  ]);
  for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
  // Whatever the moves left, newcomers even it out.
  await Promise.all(Array.from({ length: 30 }, () => joinOrganisation(identity, orgId)));
  const after = await rosters(identity, orgId);
  for (const { active, counted } of after) expect(counted).toBe(active);
  const [smaller, larger] = after.map(({ active }) => active);
  expect((larger ?? 0) - (smaller ?? 0)).toBeLessThanOrEqual(1);
});
