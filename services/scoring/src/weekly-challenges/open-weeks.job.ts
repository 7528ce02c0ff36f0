import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { WeeksService } from './weeks.service.ts';

const everySeconds = 60;

export const openWeeks = defineJob({
  name: 'scoring.open-weeks',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds,
});

/** Every minute, for organisations whose Monday has begun (D14). */
@Injectable()
export class OpenWeeks {
  constructor(@Inject(WeeksService) private readonly weeks: WeeksService) {}

  @HandlesJob(openWeeks)
  async open(): Promise<void> {
    await this.weeks.openAll(new Date());
  }
}
