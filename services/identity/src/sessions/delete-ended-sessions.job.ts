import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetSessionsOver } from './sessions.system.store.ts';

const daySeconds = 86_400;

export const deleteEndedSessions = defineJob({
  name: 'identity.delete-ended-sessions',
  data: z.object({}),
  everySeconds: daySeconds,
});

/** Their rows stay for a day, so that a stolen token that comes late is recognised. */
@Injectable()
export class DeleteEndedSessions {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Log) private readonly log: Log,
  ) {}

  @HandlesJob(deleteEndedSessions)
  async forget(): Promise<void> {
    const count = await forgetSessionsOver(this.pool, new Date(Date.now() - daySeconds * 1_000));
    this.log.info({ count }, 'forgot ended sessions');
  }
}
