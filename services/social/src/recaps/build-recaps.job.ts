import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { RecapsService } from './recaps.service.ts';

export const buildRecaps = defineJob({
  name: 'social.build-recaps',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

/** What others had told while everything stood still is consumed by then: a recap is not made up again. */
const settledAfterMilliseconds = 2 * 60_000;

/** Every minute, for organisations whose Monday morning has begun, and for weeks that were missed (D28). */
@Injectable()
export class BuildRecaps {
  constructor(@Inject(RecapsService) private readonly recaps: RecapsService) {}

  @HandlesJob(buildRecaps)
  async build(): Promise<void> {
    if (performance.now() >= settledAfterMilliseconds) await this.recaps.buildDue(new Date());
  }
}
