import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';
import { Weeks } from './weeks.client.ts';

const everySeconds = 60;

export const openWeeks = defineJob({ name: 'scoring.open-weeks', data: z.object({}), attempts: 1, concurrency: 1 });

/** Looks every minute for organisations whose Monday has begun (D14). */
@Injectable()
export class OpenWeeks implements OnApplicationBootstrap {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Weeks) private readonly weeks: Weeks,
    @Inject(Log) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs
      .schedule(openWeeks, {}, { everySeconds })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the opening of weeks is not scheduled'));
  }

  @HandlesJob(openWeeks)
  async open(): Promise<void> {
    await this.weeks.openAll(new Date());
  }
}
