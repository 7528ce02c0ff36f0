import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { confirmationsToMail, forgetUndosOver, undosToMail } from '../housekeeping.query.ts';
import { mailConfirmation } from './mail-confirmation.job.ts';
import { mailUndo } from './mail-undo.job.ts';

const sweepSeconds = 60;
/** Nobody waits for a link that long. */
const forgetAfterSeconds = 86_400;

export const sweepAddresses = defineJob({
  name: 'identity.sweep-addresses',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up mails with links whose job was never queued, was lost or has given up, and forgets ways back that are over. */
@Injectable()
export class SweepAddresses {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  @HandlesJob(sweepAddresses)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const waiting = { from: before(forgetAfterSeconds), to: before(sweepSeconds) };
    await forgetUndosOver(this.pool, before(0));
    for (const due of await confirmationsToMail(this.pool, waiting))
      await this.jobs.enqueue(mailConfirmation, due, { key: due.askId });
    for (const due of await undosToMail(this.pool, waiting))
      await this.jobs.enqueue(mailUndo, due, { key: due.undoId });
  }
}
