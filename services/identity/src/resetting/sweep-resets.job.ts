import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetResetsOver } from '../housekeeping.query.ts';
import { mailResetLink } from './mail-reset-link.job.ts';
import { deleteRequestsBefore, requestsBefore } from './resets.query.ts';

const sweepSeconds = 60;
/** Nobody waits for a link that long. */
const forgetAfterSeconds = 6 * 3_600;

export const sweepResets = defineJob({
  name: 'identity.sweep-resets',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up requests whose job was never queued, was lost or has given up, and forgets what is over. */
@Injectable()
export class SweepResets {
  private readonly requests: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.requests = sweeps.of('identity.reset-requests');
  }

  @HandlesJob(sweepResets)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    await forgetResetsOver(this.pool, before(0));
    await deleteRequestsBefore(this.pool, before(forgetAfterSeconds));
    await this.requests.each(
      await requestsBefore(this.pool, before(sweepSeconds), this.requests.resting()),
      (requestId) => requestId,
      (requestId) => this.jobs.enqueue(mailResetLink, { requestId }, { key: requestId }),
    );
  }
}
