import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { exportsBegunBefore, exportsOver, forgetInvitesOfClosed } from '../housekeeping.query.ts';
import { collectMyData } from './collect-my-data.job.ts';
import { DiscardedFiles } from './discarded-files.client.ts';
import { dropExport, type ExportRef, failExport, forgetErasedSessions } from './exports.query.ts';

const sweepSeconds = 60;
const givenUpAfterSeconds = 3_600;
// No access token of an erased account is younger.
const tokenSeconds = 65 * 60;

export const sweepLeaving = defineJob({
  name: 'identity.sweep-leaving',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up exports whose job was lost, gives up those that cannot be built, and removes what is over. */
@Injectable()
export class SweepLeaving {
  private readonly exports: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DiscardedFiles) private readonly discarded: DiscardedFiles,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.exports = sweeps.of('identity.exports');
  }

  @HandlesJob(sweepLeaving)
  async sweep(): Promise<void> {
    const at = new Date();
    const before = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
    await forgetInvitesOfClosed(this.pool, at);
    await forgetErasedSessions(this.pool, before(tokenSeconds));
    const each = (refs: readonly ExportRef[], work: (ref: ExportRef) => Promise<unknown>) =>
      this.exports.each(refs, ({ exportId }) => exportId, work);
    await each(await exportsBegunBefore(this.pool, before(givenUpAfterSeconds)), async (ref) => {
      await failExport(this.pool, ref, at);
      this.exports.log.error({ event: 'export-given-up', ...ref }, 'an export could not be built within an hour');
    });
    await each(await exportsOver(this.pool, at), (ref) => dropExport(this.pool, ref, at));
    await each(await exportsBegunBefore(this.pool, before(sweepSeconds)), (ref) =>
      this.jobs.enqueue(collectMyData, ref, { key: ref.exportId }),
    );
    await this.discarded.remove();
  }
}
