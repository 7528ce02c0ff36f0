import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Pace } from '@caravan/service-kit/process/pace';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { mailServer, MailServerAway } from '../mail/index.ts';
import type { Person } from './due-notices.store.ts';
import { acquireMailLeases, forgetNoticesBefore, releaseMailLeases } from './due-notices.system.store.ts';
import { NoticeMails } from './notice-mails.service.ts';

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
// Longer than a lane waits for the slowest mail server, so that no other process writes to the same members.
const leaseMilliseconds = 120_000;
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
      const lease = { at, expiresAt: new Date(at.getTime() + leaseMilliseconds), most: membersAtOnce };
      const members = await acquireMailLeases(this.pool, lease, this.members.resting());
      if (members.length === 0) return;
      const waiting = members.values();
      // Each lane takes the next one from the same list.
      const areDone = await Promise.all(Array.from({ length: lanes }, () => this.mailEach(waiting, at)));
      if (!areDone.includes(false)) continue;
      await releaseMailLeases(this.pool, members, lease.expiresAt);
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
