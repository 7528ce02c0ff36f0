import { notificationDue, notificationsSettled, weeklyRecapBuilt } from '@caravan/contracts/events/social.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Env } from '@caravan/service-kit/process/env';
import { Controller, Inject } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { mailTimeOf, pushTimeOf } from './delivery.ts';
import { forgetSettled, keepDue, keepReport, zonesOf, zonesOfAll } from './due-notices.store.ts';
import type { DueNotice, SettledNotice } from './due-notices.store.ts';
import { reportOf } from './weekly-report.ts';

const keepDueNotices = 'identity.store-due-notices';

type News = DueNews | { readonly is: 'settled'; readonly notice: SettledNotice };
type DueNews = { readonly is: 'due'; readonly notice: DueNotice; readonly holdSeconds: number };

/** What members are to be told outside the app, until they have read it there. */
@Controller()
export class StoreDueNotices {
  constructor(@Inject(Env) private readonly env: IdentityEnv) {}

  @Consumes({ group: keepDueNotices, from: 'social', contract: notificationDue })
  keepNoticeWhenNotificationDue({ orgId, data }: Consumed<typeof notificationDue>, batch: BatchContext): void {
    const { raisedAt, expiresAt, count: _, metricText = null, ...said } = data;
    const notice = {
      orgId,
      ...said,
      metricText,
      lines: [],
      raisedAt: new Date(raisedAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    };
    batch.enqueueWrite(writeNews, { is: 'due', notice, holdSeconds: this.env.NOTICE_MAIL_HOLD_SECONDS });
  }

  @Consumes({ group: keepDueNotices, from: 'social', contract: notificationsSettled })
  forgetNoticesWhenNotificationsSettled(
    { orgId, data: { userId, noticeIds } }: Consumed<typeof notificationsSettled>,
    batch: BatchContext,
  ): void {
    for (const noticeId of noticeIds)
      batch.enqueueWrite(writeNews, { is: 'settled', notice: { orgId, userId, noticeId } });
  }

  /** For every member, each in their own morning; one statement, however many they are. */
  @Consumes({ group: keepDueNotices, from: 'social', contract: weeklyRecapBuilt })
  async keepReportWhenWeeklyRecapBuilt(
    { orgId, data }: Consumed<typeof weeklyRecapBuilt>,
    { tx }: BatchContext,
  ): Promise<void> {
    const now = new Date();
    const report = { kind: 'weekly-report', raisedAt: new Date(data.builtAt), expiresAt: null } as const;
    const mornings = (await zonesOfAll(tx, orgId)).flatMap((timeZone) => {
      const mailAt = mailTimeOf(report, timeZone, now, 0);
      return mailAt === null ? [] : [{ timeZone, mailAt }];
    });
    await keepReport(tx, { orgId, noticeId: data.recapId, ...report, ...reportOf(data) }, mornings);
  }
}

/** In the order in which they came: what is settled within a batch is never due after it. */
async function writeNews(tx: Tx, news: readonly News[]): Promise<void> {
  const due = new Map<string, DueNews>();
  const settled: SettledNotice[] = [];
  for (const one of news) {
    const key = `${one.notice.userId} ${one.notice.noticeId}`;
    if (one.is === 'due') due.set(key, one);
    else {
      due.delete(key);
      settled.push(one.notice);
    }
  }
  await forgetSettled(tx, settled);
  await keepTimed(tx, [...due.values()]);
}

/** When each leaves, on its receiver's clock. */
async function keepTimed(tx: Tx, news: readonly DueNews[]): Promise<void> {
  if (news.length === 0) return;
  const now = new Date();
  const zones = await zonesOf(
    tx,
    news.map(({ notice }) => notice),
  );
  const timed = news.flatMap(({ notice, holdSeconds }) => {
    const zone = zones.get(notice.userId);
    if (zone === undefined) return [];
    return [{ ...notice, mailAt: mailTimeOf(notice, zone, now, holdSeconds), pushAt: pushTimeOf(notice, zone, now) }];
  });
  await keepDue(tx, timed);
}
