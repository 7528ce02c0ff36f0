import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { ObjectStorage } from '@caravan/service-kit/objects';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { exportsBegunBefore, exportsOver } from '../across-organisations.query.ts';
import { collectMyData } from './collect-my-data.job.ts';
import { dropExport, failExport, forgetErasedSessions, removeDiscarded } from './exports.query.ts';

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
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Log) private readonly log: Log,
  ) {}

  @HandlesJob(sweepLeaving)
  async sweep(): Promise<void> {
    const at = new Date();
    const before = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
    await forgetErasedSessions(this.pool, before(tokenSeconds));
    for (const ref of await exportsBegunBefore(this.pool, before(givenUpAfterSeconds))) {
      await failExport(this.pool, ref, at);
      this.log.error({ event: 'export-given-up', ...ref }, 'an export could not be built within an hour');
    }
    for (const ref of await exportsOver(this.pool, at)) await dropExport(this.pool, ref, at);
    for (const ref of await exportsBegunBefore(this.pool, before(sweepSeconds)))
      await this.jobs.enqueue(collectMyData, ref, { key: ref.exportId });
    await removeDiscarded(this.pool, this.objects);
  }
}
