import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AnnounceNotices } from './announce-notices.job.ts';
import { forgetNoticesBefore, raiseEndings } from './notices.system.store.ts';

export const sweepNotices = defineJob({
  name: 'social.sweep-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 300,
});

export const keptDays = 90;

/** Tells of ballots that end within a day whoever has not voted, and forgets what is older than 90 days. */
@Injectable()
export class SweepNotices {
  private readonly notices: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(AnnounceNotices) private readonly announcer: AnnounceNotices,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.notices = sweeps.of('social.sweep-notices');
  }

  @HandlesJob(sweepNotices)
  sweep(): Promise<void> {
    return this.sweepAt(new Date());
  }

  async sweepAt(at: Date): Promise<void> {
    await this.notices.look(() => this.tellOfEndings(at));
    await this.notices.look(() => this.forgetOld(at));
  }

  private async tellOfEndings(at: Date): Promise<void> {
    await raiseEndings(this.pool, at);
    this.announcer.soon();
  }

  private async forgetOld(at: Date): Promise<void> {
    const before = new Date(at.getTime() - keptDays * 86_400_000);
    let isDone = false;
    while (!isDone) isDone = await forgetNoticesBefore(this.pool, before);
  }
}
