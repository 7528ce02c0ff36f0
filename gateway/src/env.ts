import { processEnvSchema, storagePlaceSchema } from '@caravan/service-kit/process/env';
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
  /** Multiplies how often one member may do each thing that writes (libs/contracts/http/write-limits.ts). */
  LIMIT_WRITES_FACTOR: z.coerce.number().int().positive().default(1),
  /** Open at a moment. Five hundred people at one address, each with two browsers of six connections, need 6,000. */
  LIMIT_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().positive().default(8_000),
  LIMIT_CONNECTIONS: z.coerce.number().int().positive().default(20_000),
  /** Bodies that are arriving at a moment: four of each of five hundred people at one address. */
  LIMIT_UNFINISHED_BODIES_PER_ADDRESS: z.coerce.number().int().positive().default(2_000),
  LIMIT_UNFINISHED_BODIES: z.coerce.number().int().positive().default(4_000),
  /** Memory that unfinished bodies may take in total; one address may take half of it. */
  LIMIT_UNFINISHED_MEGABYTES: z.coerce.number().int().positive().default(64),
  /** Comma list; their X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z.string().default(''),
});

export type GatewayEnv = z.infer<typeof gatewayEnvSchema>;
