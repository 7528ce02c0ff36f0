import { defineJob } from '@caravan/service-kit/job';
import { z } from 'zod';

export const scheduleBonusChallenges = defineJob({
  name: 'scoring.tend-bonus-challenges',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 30,
});

export const closeBonusChallenge = defineJob({
  name: 'scoring.close-bonus-challenge',
  data: z.object({ orgId: z.uuid(), challengeId: z.uuid() }),
});
