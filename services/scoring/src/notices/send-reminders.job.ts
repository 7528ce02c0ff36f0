import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Reminders } from './reminders.service.ts';

export const sendReminders = defineJob({
  name: 'scoring.send-reminders',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

export const deleteReminders = defineJob({
  name: 'scoring.delete-reminders',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 24 * 3_600,
});

/** Every minute, for the zones whose evening, noon or morning it is; what was missed by more than two hours is not sent. */
@Injectable()
export class SendReminders {
  constructor(@Inject(Reminders) private readonly reminders: Reminders) {}

  @HandlesJob(sendReminders)
  async send(): Promise<void> {
    await this.reminders.tellDue(new Date());
  }

  @HandlesJob(deleteReminders)
  async forget(): Promise<void> {
    await this.reminders.forgetOld(new Date());
  }
}
