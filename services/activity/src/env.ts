import { readEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { z } from 'zod';

export const activityEnvSchema = serviceEnvSchema.extend({
  /** Whether members may have photos fetched from other sites. 'any' fetches from one's own network too: for development. */
  PHOTO_LINKS: z.enum(['off', 'public', 'any'], { error: 'must be off, public or any' }).default('off'),
});
export type ActivityEnv = z.infer<typeof activityEnvSchema>;

export const env = () => readEnv(activityEnvSchema);
