import { createHash } from 'node:crypto';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pace } from '@caravan/service-kit/process/pace';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { confirmedAddressOf, mailServer, MailServerAway, MailService } from '../mail/index.ts';
import type { ConfirmedAddress } from '../mail/index.ts';
import { isQuiet, outsideQuietHours, partOf, planMail, switchOf } from './delivery.ts';
import type { MailSwitch } from './delivery.ts';
import { noteMailed, postponeMail, waitingFor } from './due-notices.store.ts';
import type { DueNotice, Person, Receiver } from './due-notices.store.ts';
import { Unsubscribing } from './unsubscribing.service.ts';
import { forgetNoticesBefore, giveMailTurnsBack, takeMailTurns } from './due-notices.system.store.ts';

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

export const mailNotices = defineJob({
  name: 'identity.mail-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 20,
  needs: [mailServer],
});

export const deleteOldNotices = defineJob({
  name: 'identity.delete-old-notices',
  data: z.object({}),
  everySeconds: 86_400,
});

const membersAtOnce = 40;
const lanes = 4;
/** design/load.md: a Monday morning of 10,000 members in two and a half minutes, beside everybody's requests. */
const mailsPerSecond = 70;
// Longer than a lane waits for the slowest mail server: until then nobody else writes to the same members.
const turnMilliseconds = 120_000;
const keptMilliseconds = 90 * 86_400_000;

/** While the mail server is away everything waits, and what comes joins it: afterwards each member gets one mail. */
@Injectable()
export class MailNotices {
  private readonly members: Sweep;
  private readonly pace = new Pace({ perSecond: mailsPerSecond });

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(NoticeMails) private readonly noticeMails: NoticeMails,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.members = sweeps.of('identity.mail-notices');
  }

  @HandlesJob(mailNotices)
  sweep(): Promise<void> {
    return this.mailDue(() => new Date());
  }

  async mailDue(clock: () => Date): Promise<void> {
    for (;;) {
      const at = clock();
      const turn = { at, until: new Date(at.getTime() + turnMilliseconds), most: membersAtOnce };
      const members = await takeMailTurns(this.pool, turn, this.members.resting());
      if (members.length === 0) return;
      const waiting = members.values();
      // Each lane takes the next one from the same list.
      const areDone = await Promise.all(Array.from({ length: lanes }, () => this.mailEach(waiting, at)));
      if (!areDone.includes(false)) continue;
      await giveMailTurnsBack(this.pool, members, turn.until);
      return;
    }
  }

  @HandlesJob(deleteOldNotices)
  async forget(): Promise<void> {
    await forgetNoticesBefore(this.pool, new Date(Date.now() - keptMilliseconds));
  }

  /** False when the mail server is away: then nobody else is tried either. */
  private async mailEach(waiting: Iterable<Person>, at: Date): Promise<boolean> {
    for (const person of waiting) {
      await this.pace.turn();
      const server = { isThere: true };
      await this.members.attempt(person.userId, async () => {
        server.isThere = await this.mailTo(person, at);
      });
      if (!server.isThere) return false;
    }
    return true;
  }

  private async mailTo(person: Person, at: Date): Promise<boolean> {
    try {
      await this.noticeMails.mailTo(person, at);
    } catch (error) {
      if (!(error instanceof MailServerAway)) throw error;
      this.members.log.warn({ err: error }, 'mails about notices wait for the mail server');
      return false;
    }
    return true;
  }
}
