import { defineJob } from '@caravan/service-kit/job';
import { z } from 'zod';

/** Awards badges that are earned by a history that nobody has looked at, or by a rule that has changed. */
export const awardDueBadges = defineJob({
  name: 'scoring.award-due-badges',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});
