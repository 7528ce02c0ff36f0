import { randomUUID } from '@caravan/contracts/testing/seeded';
import { notificationsSchema } from '@caravan/contracts/http/notifications';
import type { notificationDue } from '@caravan/contracts/events/social.events';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  memberJoined,
  memberOf,
  type SocialUnderTest,
  startSocial,
  type TestMember,
} from '../testing/social-under-test.ts';

let social: SocialUnderTest;
let listener: Listener;
beforeAll(async () => {
  social = await startSocial();
  listener = await listenTo('social', social.env);
});
afterAll(async () => {
  await listener.close();
  await social.close();
});

type Due = z.infer<typeof notificationDue.data>;
const dueOf = ({ userId }: TestMember) =>
  listener.heard.filter(({ type, key }) => type === 'NotificationDue' && key === userId).map(({ data }) => data as Due);

async function textsOf(member: TestMember): Promise<string[]> {
  const { body } = await (await social.as(member)).get('/api/notifications');
  return notificationsSchema.parse(body).map(({ text }) => text);
}

function adminJoined(admin: TestMember) {
  const joined = memberJoined(admin);
  return { ...joined, data: { ...joined.data, role: 'admin' } };
}

const inviteUsed = ({ orgId, userId }: TestMember, { userId: invitedBy }: TestMember) => ({
  type: 'InviteUsed',
  version: 1,
  orgId,
  key: userId,
  data: { inviteId: randomUUID(), userId, invitedBy, usedAt: new Date().toISOString() },
});

/** So many notices are there, and whoever announces them has looked at each. */
const areLookedAt = (orgId: string, notices: number) =>
  expect
    .poll(() => social.rows(orgId, 'select is_unpublished from notices where org_id = $1'))
    .toEqual(Array.from({ length: notices }, () => ({ isUnpublished: false })));

test('[D2 D34] admins are told once of who joined, whether that, they or the newcomer are heard of first', async () => {
  const orgId = randomUUID();
  const teamId = randomUUID();
  const admin = memberOf(orgId, teamId, 'Ada Admin');
  const early = memberOf(orgId, teamId, 'Early Bird');
  const late = memberOf(orgId, teamId, 'Late Owl');
  await social.identity.publish(inviteUsed(early, admin));
  await areLookedAt(orgId, 1);
  await social.tell(orgId, memberJoined(early));
  await areLookedAt(orgId, 1);
  expect(dueOf(admin)).toEqual([]);
  await social.tell(orgId, adminJoined(admin));
  await expect.poll(() => textsOf(admin)).toEqual(['Early Bird joined with an invite']);
  await expect.poll(() => dueOf(admin)).toMatchObject([{ kind: 'invite-used', count: 1 }]);
  await (await social.as(admin)).post('/api/notifications/read', { all: true });

  // Nobody is named before they are known.
  await social.identity.publish(inviteUsed(late, admin));
  await areLookedAt(orgId, 2);
  expect(dueOf(admin)).toHaveLength(1);
  await social.tell(orgId, memberJoined(late));
  await expect
    .poll(() => dueOf(admin).map(({ text }) => text))
    .toEqual(['Early Bird joined with an invite', 'Late Owl joined with an invite']);
  expect((await (await social.as(admin)).get('/api/notifications/unread')).body).toMatchObject({ count: 1 });
});
