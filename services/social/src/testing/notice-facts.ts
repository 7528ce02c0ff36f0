import { notificationsSchema } from '@caravan/contracts/http/notifications';
import type { notificationDue, notificationsSettled } from '@caravan/contracts/events/social.events';
import type { Listener } from '@caravan/messaging/testing/listener';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import type { z } from 'zod';
import type { TestMember } from './social-under-test.ts';

type Due = z.infer<typeof notificationDue.data>;
type Settled = z.infer<typeof notificationsSettled.data>;

const heardBy = <Data>({ heard }: Listener, type: string, userId: string) =>
  heard.filter((fact) => fact.type === type && fact.key === userId).map(({ data }) => data as Data);

export const notificationsOf = async (client: ApiClient) =>
  notificationsSchema.parse((await client.get('/api/notifications')).body);

export const noticesDue = (listener: Listener, userId: string) => heardBy<Due>(listener, 'NotificationDue', userId);

export const noticesSettled = (listener: Listener, userId: string) =>
  heardBy<Settled>(listener, 'NotificationsSettled', userId);

export const badgeEarned = ({ orgId, userId }: TestMember, badgeName = 'Early Bird') => ({
  type: 'BadgeEarned',
  version: 1,
  orgId,
  key: userId,
  data: { userId, badgeId: badgeName.toLowerCase(), badgeName, badgeIcon: '🐦', earnedAt: new Date().toISOString() },
});
