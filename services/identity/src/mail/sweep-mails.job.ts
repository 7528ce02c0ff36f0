import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetMailsOlderThan, mailsOlderThan } from '../housekeeping.query.ts';
import { sendMail } from './send-mails.job.ts';

const sweepSeconds = 60;
/** What could not be sent for so long is no news any more. */
const forgetAfterSeconds = 3 * 86_400;

export const sweepMails = defineJob({
  name: 'identity.sweep-mails',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes care of mails that lie too long: their job was never queued, was lost with Redis, or has given up. */
@Injectable()
export class SweepMails {
  private readonly mails: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.mails = sweeps.of('identity.mails');
  }

  @HandlesJob(sweepMails)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const count = await forgetMailsOlderThan(this.pool, before(forgetAfterSeconds));
    if (count > 0) this.mails.log.error({ event: 'mails-given-up', count }, 'mails could not be sent for three days');
    await this.mails.each(
      await mailsOlderThan(this.pool, before(sweepSeconds), this.mails.resting()),
      ({ mailId }) => mailId,
      (mail) => this.jobs.enqueue(sendMail, mail, { key: mail.mailId }),
    );
  }
}
