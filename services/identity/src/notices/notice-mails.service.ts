import { createHash } from 'node:crypto';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { confirmedAddressOf, MailService } from '../mail/index.ts';
import type { ConfirmedAddress } from '../mail/index.ts';
import { isQuiet, outsideQuietHours, partOf, planMail, switchOf } from './delivery.ts';
import type { MailSwitch } from './delivery.ts';
import { noteMailed, postponeMail, waitingFor } from './due-notices.store.ts';
import type { DueNotice, Person, Receiver } from './due-notices.store.ts';
import { Unsubscribing } from './unsubscribing.service.ts';

/** As the settings call them. */
const called: Readonly<Record<MailSwitch, string>> = {
  email: 'Email notifications',
  teamUpdates: 'Team updates',
  weeklyReports: 'Weekly reports',
};

/** `later`: it is quiet where they are; `nothing`: read, switched off or over meanwhile. */
type Result = 'sent' | 'refused' | 'later' | 'nothing' | 'failed';

/** One member's mail, of whatever waits when it leaves. */
@Injectable()
export class NoticeMails {
  private readonly results;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
    @Inject(Unsubscribing) private readonly unsubscribing: Unsubscribing,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.results = metrics.counter<'result'>(
      'caravan_notice_mails_total',
      'Mails about notices, by what became of them; one mail tells all that waits for a member.',
      ['result'],
    );
  }

  /** Throws when the mail server is away; nothing is noted then. */
  async mailTo(person: Person, at: Date): Promise<void> {
    try {
      this.results.inc({ result: await this.mail(person, at) });
    } catch (error) {
      this.results.inc({ result: 'failed' satisfies Result });
      throw error;
    }
  }

  private async mail(person: Person, at: Date): Promise<Result> {
    const waiting = await waitingFor(this.pool, person, 'mail');
    if (!waiting) return 'nothing';
    const { receiver, notices } = waiting;
    if (isQuiet(at, receiver.timeZone)) {
      await postponeMail(this.pool, person, at, outsideQuietHours(at, receiver.timeZone));
      return 'later';
    }
    const to = receiver.isActive ? confirmedAddressOf(receiver) : undefined;
    const plan = planMail(notices, { ...receiver, isReachable: to !== undefined }, at);
    const told = plan.told.flatMap((id) => notices.filter(({ noticeId }) => noticeId === id));
    const result = to === undefined || told.length === 0 ? 'nothing' : await this.send(person, receiver, to, told);
    await noteMailed(this.pool, person, plan, at);
    return result;
  }

  private send(
    person: Person,
    { name, organization }: Receiver,
    to: ConfirmedAddress,
    told: readonly DueNotice[],
  ): Promise<'sent' | 'refused'> {
    const mails = switchOf(told.map(({ kind }) => kind));
    const tidings = told.map((notice) => ({ ...notice, part: partOf(notice.kind) }));
    const unsubscribeToken = this.unsubscribing.tokenFor(person, mails);
    const mail = { to, name, tidings, mailsCalled: called[mails], unsubscribeToken };
    return this.mails.deliverNews(mail, organization, idOf(person, told));
  }
}

/** The same news, the same id: who dies between sending and noting it sends a copy that can be told. */
function idOf({ userId }: Person, tidings: readonly DueNotice[]): string {
  const ids = tidings.map(({ noticeId }) => noticeId).toSorted();
  return createHash('sha256')
    .update([userId, ...ids].join())
    .digest('hex')
    .slice(0, 32);
}
