import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { RunRef } from './catch-ups.store.ts';
import { nightAt } from './run.ts';
import { beginNightly, deleteExpiredData, dueRuns } from './runs.system.store.ts';
import { Syncing } from './syncing.service.ts';

export const syncAccount = defineJob({
  name: 'integrations.sync-account',
  remadeBy: 'integrations.sweep-syncs',
  data: z.object({ orgId: z.uuid(), runId: z.uuid() }),
  rememberedSeconds: 1,
  // Fetching a year of workouts within the platform's quota may take half an hour.
  lateAfterSeconds: 1_800,
});

export const sweepSyncs = defineJob({
  name: 'integrations.sweep-syncs',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

export const purgeImports = defineJob({
  name: 'integrations.purge-imports',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 3_600,
});

@Injectable()
export class Syncs {
  private readonly runs: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Syncing) private readonly syncing: Syncing,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.runs = sweeps.of('integrations.syncs');
  }

  /** Its row says when it is due again; the sweep finds it then. */
  @HandlesJob(syncAccount)
  async sync(run: RunRef): Promise<void> {
    await this.syncing.carryOn(run);
  }

  @HandlesJob(sweepSyncs)
  sweep(): Promise<void> {
    return this.sweepAt(new Date());
  }

  async sweepAt(now: Date): Promise<void> {
    const night = nightAt(now);
    if (night) await beginNightly(this.pool, { ...night, now });
    await this.runs.each(
      await dueRuns(this.pool, this.runs.resting()),
      ({ runId }) => runId,
      (run) => this.enqueue(run),
    );
  }

  enqueue(run: RunRef): Promise<void> {
    return this.jobs.enqueue(syncAccount, run, { key: run.runId });
  }

  /** While Redis is away the run is kept in this process; the sweep would find it, too. */
  enqueueOrKeep(run: RunRef): Promise<void> {
    return this.jobs.enqueueOrKeep(syncAccount, run, { key: run.runId });
  }

  @HandlesJob(purgeImports)
  purge(): Promise<void> {
    return this.purgeAt(new Date());
  }

  purgeAt(now: Date): Promise<void> {
    return deleteExpiredData(this.pool, now);
  }
}
