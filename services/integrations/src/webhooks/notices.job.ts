import { fitnessProviderSchema } from '@caravan/contracts/http/fitness';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AccountName } from '../ports.ts';
import { dueAccounts, deleteHandled } from './inbox.system.store.ts';
import { readingOf } from './notice.ts';
import { Notices } from './notices.service.ts';

export const handleWebhookNotices = defineJob({
  name: 'integrations.handle-webhook-notices',
  remadeBy: 'integrations.sweep-webhook-notices',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), provider: fitnessProviderSchema }),
  rememberedSeconds: 60,
});

export const sweepNotices = defineJob({
  name: 'integrations.sweep-webhook-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

/** Their keys hold a second, and so say nothing for longer. */
const mostEnqueued = 5_000;

/** Its rows say what is due; a job only says that something is. */
@Injectable()
export class NoticeJobs {
  private readonly accounts: Sweep;
  private readonly enqueued = new LRUCache<string, true>({ max: mostEnqueued });

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Notices) private readonly notices: Notices,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.accounts = sweeps.of('integrations.notices');
  }

  /** However many come in a second, they are read together. */
  async enqueue(account: AccountName): Promise<void> {
    const { second, delaySeconds } = readingOf(new Date());
    const key = `${account.provider}-${account.userId}-${second}`;
    if (this.enqueued.has(key)) return;
    await this.jobs.enqueueOrKeep(handleWebhookNotices, account, { key, delaySeconds });
    this.enqueued.set(key, true);
  }

  @HandlesJob(handleWebhookNotices)
  read(account: AccountName): Promise<void> {
    return this.notices.read(account);
  }

  @HandlesJob(sweepNotices)
  sweep(): Promise<void> {
    return this.sweepAt(new Date());
  }

  async sweepAt(now: Date): Promise<void> {
    await deleteHandled(this.pool, now);
    const due = await dueAccounts(this.pool, now);
    const nameOf = ({ userId, provider }: AccountName) => `${provider}-${userId}`;
    await this.accounts.each(due, nameOf, (account) => this.enqueue(account));
  }
}
