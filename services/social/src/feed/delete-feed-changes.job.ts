import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetOldFeedChanges } from './feed-changes.system.store.ts';

export const deleteFeedChanges = defineJob({
  name: 'social.delete-feed-changes',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

@Injectable()
export class DeleteFeedChanges {
  private readonly changes: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.changes = sweeps.of('social.delete-feed-changes');
  }

  @HandlesJob(deleteFeedChanges)
  forget(): Promise<void> {
    return this.changes.look(() => forgetOldFeedChanges(this.pool));
  }
}
