import { processEnvSchema, storagePlaceSchema } from '@caravan/service-kit/env';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ });

export const gatewayEnvSchema = processEnvSchema.extend({
  ACTIVITY_URL: address,
  SCORING_URL: address,
  SOCIAL_URL: address,
  INTEGRATIONS_URL: address,
  /** Where people reach the gateway; https turns on HSTS. */
  PUBLIC_URL: address,
  ...storagePlaceSchema.shape,
  WEB_ROOT: z.string().min(1),
  /** Twice what the pages on three devices ask for in their worst minute. */
  LIMIT_PER_ACCOUNT_PER_MINUTE: z.coerce.number().int().positive().default(3_000),
  /** Of each open operation; an IPv6 network of /64 counts as one address. */
  LIMIT_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(3_000),
  LIMIT_FILES_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(60_000),
  LIMIT_DELIVERIES_PER_ADDRESS_PER_MINUTE: z.coerce.number().int().positive().default(30_000),
  /** Comma list; their X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z.string().default(''),
});

export type GatewayEnv = z.infer<typeof gatewayEnvSchema>;
