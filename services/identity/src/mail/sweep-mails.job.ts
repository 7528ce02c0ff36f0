import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetMailsOlderThan, mailsOlderThan } from '../across-organisations.query.ts';
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
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Log) private readonly log: Log,
  ) {}

  @HandlesJob(sweepMails)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const count = await forgetMailsOlderThan(this.pool, before(forgetAfterSeconds));
    if (count > 0) this.log.error({ event: 'mails-given-up', count }, 'mails could not be sent for three days');
    for (const mail of await mailsOlderThan(this.pool, before(sweepSeconds)))
      await this.jobs.enqueue(sendMail, mail, { key: mail.mailId });
  }
}
