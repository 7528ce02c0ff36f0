import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/social.events';
import { linkOf, metricTextOf, textOf } from './notice.ts';
import type { NoticeRow } from './notices.query.ts';

// The log keeps none of these: their consumers store the notices, and forget them in time.

type Unkept<Contract> = PublicEventOf<Contract> & { readonly isKept: false };
type DueNotice = NoticeRow & { readonly userId: string; readonly expiresAt: Date | null };

export function notificationDue(notice: DueNotice): Unkept<typeof facts.notificationDue> {
  const { id: noticeId, userId, kind, count, name, actorId, raisedAt, expiresAt } = notice;
  const metricText = metricTextOf(notice);
  const data = {
    noticeId,
    userId,
    kind,
    text: textOf(notice),
    ...(metricText !== undefined && { metricText }),
    link: linkOf(notice),
    count,
    namedIds: name === null || actorId === null ? [] : [actorId],
    raisedAt: raisedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
  return { type: 'NotificationDue', version: 1, data, isKept: false };
}

export function notificationsSettled(
  userId: string,
  noticeIds: string[],
  why: 'read' | 'withdrawn',
  at: Date,
): Unkept<typeof facts.notificationsSettled> {
  const data = { userId, noticeIds, why, settledAt: at.toISOString() };
  return { type: 'NotificationsSettled', version: 1, data, isKept: false };
}
