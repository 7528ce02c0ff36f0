import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';
import { forgetSessionsOver } from '../across-organisations.query.ts';

const daySeconds = 86_400;

export const forgetEndedSessions = defineJob({ name: 'identity.forget-ended-sessions', data: z.object({}) });

/** Sessions that are over keep their rows for a day, so that a stolen token that comes late is still recognised. */
@Injectable()
export class ForgetEndedSessions implements OnApplicationBootstrap {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Log) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs
      .schedule(forgetEndedSessions, {}, { everySeconds: daySeconds })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the forgetting of ended sessions is not scheduled'));
  }

  @HandlesJob(forgetEndedSessions)
  async forget(): Promise<void> {
    const count = await forgetSessionsOver(this.pool, new Date(Date.now() - daySeconds * 1_000));
    this.log.info({ count }, 'forgot ended sessions');
  }
}
