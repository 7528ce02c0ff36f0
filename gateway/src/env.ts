import { processEnvSchema } from '@caravan/service-kit/env';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });

/** What the gateway needs to start; a missing or bad variable names itself and stops the start. */
export const gatewayEnvSchema = processEnvSchema.extend({
  ACTIVITY_URL: address,
  SCORING_URL: address,
  SOCIAL_URL: address,
  INTEGRATIONS_URL: address,
  /** The address under which people reach this gateway; https turns on HSTS. */
  PUBLIC_URL: address,
  /** Folder of the built web app. */
  WEB_ROOT: z.string().min(1),
  LIMIT_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(600),
  LIMIT_PER_ACCOUNT_PER_MINUTE: z.coerce.number().int().positive().default(600),
  /** Comma list of proxies whose X-Forwarded-For is believed; empty: none. */
  TRUSTED_PROXIES: z.string().default(''),
});

export type GatewayEnv = z.infer<typeof gatewayEnvSchema>;
