import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetAuditBefore } from './audit.system.store.ts';

const daySeconds = 86_400;
const keptDays = 366;

export const deleteOldAuditEntries = defineJob({
  name: 'identity.delete-old-audit-entries',
  data: z.object({}),
  everySeconds: daySeconds,
});

/** The audit log is kept for a year. */
@Injectable()
export class DeleteOldAuditEntries {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Log) private readonly log: Log,
  ) {}

  @HandlesJob(deleteOldAuditEntries)
  async forget(): Promise<void> {
    const before = new Date(Date.now() - keptDays * daySeconds * 1_000);
    const count = await forgetAuditBefore(this.pool, before);
    this.log.info({ count }, 'forgot entries of the audit log');
  }
}
