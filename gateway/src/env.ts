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
  /** Requests of whoever is signed in: twice what the pages on three devices ask for in their worst minute. */
  LIMIT_PER_ACCOUNT_PER_MINUTE: z.coerce.number().int().positive().default(3_000),
  /** Calls of each open operation (signing in, signing up, recovery) from one address, of IPv6 from one /64. */
  LIMIT_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(3_000),
  /** Files of the web app for one address: a thousand first visits at the same time. */
  LIMIT_FILES_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(60_000),
  /** Comma list of proxies whose X-Forwarded-For is believed; empty: none. */
  TRUSTED_PROXIES: z.string().default(''),
});

export type GatewayEnv = z.infer<typeof gatewayEnvSchema>;
