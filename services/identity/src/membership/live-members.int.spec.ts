import { Live } from '@caravan/service-kit/live/live';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { idOf, joinOrganisation, organisation, recordedTypes } from '../../testing/organisations.ts';
import { newEmail, password } from '../../testing/visitor.ts';
import { Operator } from '../operator/operator.service.ts';
import type { MembershipEvent } from './membership.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

/** An organisation with Lena in it, whom the admin may already have changed. */
async function withLena(changedBefore: object = {}) {
  const org = await organisation(identity);
  const email = newEmail();
  const lena = await joinOrganisation(identity, org.orgId, { email });
  const change = async (body: object) => {
    const { status } = await org.admin.call('PATCH', `/api/members/${idOf(lena)}`, body);
    expect(status).toBe(200);
  };
  if (Object.keys(changedBefore).length > 0) await change(changedBefore);
  const { body } = await lena.get('/api/me');
  return { ...org, email, lena, change, team: body['team'] as { id: string } | undefined };
}
type Company = Awaited<ReturnType<typeof withLena>>;
type Change = { readonly before?: object; readonly change: (company: Company) => Promise<unknown> };

/** How each recorded change of a member comes about; null where the list of members shows nothing of it. */
const changes: Record<MembershipEvent['type'], Change | null> = {
  MemberJoined: { change: ({ orgId }) => joinOrganisation(identity, orgId) },
  MemberMoved: {
    change: ({ change, team, thunder, blazers }) => change({ teamId: team?.id === thunder ? blazers : thunder }),
  },
  MemberDeactivated: { change: ({ change }) => change({ isActive: false }) },
  MemberReactivated: { before: { isActive: false }, change: ({ change }) => change({ isActive: true }) },
  AdminAppointed: { change: ({ change }) => change({ role: 'admin' }) },
  AdminDismissed: { before: { role: 'admin' }, change: ({ change }) => change({ role: 'member' }) },
  ProfileEdited: {
    change: ({ lena }) => lena.call('PATCH', '/api/me/settings', { profile: { name: 'Lena Fischer' } }),
  },
  PrivacyChosen: null,
  MemberErased: { change: ({ lena }) => lena.call('DELETE', '/api/me', { password }) },
};

/** Resolves once all that was announced before has left. */
async function waitUntilAnnounced(orgId: string): Promise<void> {
  const live = await listenLive(identity.env, orgId);
  identity.app.get(Live).publish(orgId, ['recaps']);
  await expect.poll(() => [...live.kinds]).toContain('recaps');
  await live.close();
}

async function expectTold(orgId: string, change: () => Promise<unknown>): Promise<void> {
  await waitUntilAnnounced(orgId);
  const live = await listenLive(identity.env, orgId);
  await change();
  await expect.poll(() => [...live.kinds]).toContain('members');
  await live.close();
}

const shown = Object.entries(changes).flatMap(([type, change]) => (change ? [[type, change] as const] : []));

test.each(shown)('[D3 D35 D43] %s is announced to open member lists', async (type, { before, change }) => {
  const company = await withLena(before);
  const { orgId } = company;
  await expectTold(orgId, () => change(company));
  expect((await recordedTypes(identity, orgId)).at(-1)).toBe(type);
});

test('[D3 D35] an admin whom the operator appoints is announced to open member lists', async () => {
  const { orgId, email } = await withLena();
  await expectTold(orgId, () => identity.app.get(Operator).appointAdmin(email, new Date()));
  expect((await recordedTypes(identity, orgId)).at(-1)).toBe('AdminAppointed');
});
