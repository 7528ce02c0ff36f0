import { organisationKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import {
  foundOrganisation,
  idOf,
  joinOrganisation,
  organisation,
  recordedTypes,
  rosters,
} from '../../testing/organisations.ts';
import { eraseMember } from './membership.store.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const erase = (orgId: string, userId: string) => {
  const meta = { orgId, actorId: userId, at: new Date(), key: organisationKey(orgId) };
  return identity.app.get<EventStore>(EventStore).transaction(meta, (unit) => eraseMember(unit, userId));
};

test('[D43] an erased member leaves no membership and no figures, and rosters stay exact', async () => {
  const { admin, orgId, maya, omar } = await organisation(identity);
  await admin.call('PATCH', `/api/members/${idOf(omar)}`, { isActive: false });
  await erase(orgId, idOf(maya));
  await erase(orgId, idOf(omar));
  expect((await recordedTypes(identity, orgId)).slice(-3)).toEqual([
    'MemberDeactivated',
    'MemberErased',
    'MemberErased',
  ]);
  for (const table of ['memberships', 'member_scores'])
    expect(await identity.rows(`select from ${table} where org_id = $1`, [orgId])).toHaveLength(1);
  for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
  expect((await admin.get(`/api/users/${idOf(maya)}`)).status).toBe(404);
  expect((await admin.call('PATCH', `/api/members/${idOf(maya)}`, { isActive: true })).status).toBe(404);
});

test('[D43] erasing twice, also at once, is erasing once', async () => {
  const { orgId, maya } = await organisation(identity);
  await identity.warm();
  await Promise.all(Array.from({ length: 10 }, () => erase(orgId, idOf(maya))));
  expect((await recordedTypes(identity, orgId)).filter((type) => type === 'MemberErased')).toHaveLength(1);
  for (const { active, counted } of await rosters(identity, orgId)) expect(counted).toBe(active);
});

test('[D3] the last admin is not erased while others are left behind, and is when nobody is', async () => {
  const { admin, orgId } = await foundOrganisation(identity);
  const maya = await joinOrganisation(identity, orgId);
  await expect(erase(orgId, idOf(admin))).rejects.toMatchObject({
    kind: 'invalid',
    message: 'Appoint another admin first.',
  });
  await erase(orgId, idOf(maya));
  await erase(orgId, idOf(admin));
  expect(await identity.rows('select from memberships where org_id = $1', [orgId])).toEqual([]);
});

test('[D3] two admins erased at once leave one while others are there', async () => {
  const { admin, orgId, maya } = await organisation(identity);
  await admin.call('PATCH', `/api/members/${idOf(maya)}`, { role: 'admin' });
  await identity.warm();
  const both = await Promise.allSettled([erase(orgId, idOf(admin)), erase(orgId, idOf(maya))]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
