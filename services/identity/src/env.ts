import { flag, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { z } from 'zod';

const serviceUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' });

export const identityEnvSchema = serviceEnvSchema.extend({
  /** Seals the signing keys' private halves and derives refresh tokens. */
  KEY_ENCRYPTION_KEY: z
    .base64({ error: 'must be base64' })
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, 'must be 32 bytes in base64'),
  /** Where people who sign up without invite and organisation belong; absent: an organisation of their own. */
  DEFAULT_ORGANISATION_ID: z.uuid({ error: 'must be a UUID' }).optional(),
  ALLOW_FOUNDING: flag.default(true),
  /** What happens to a password that keeps the rules and is easily guessed all the same. */
  PASSWORD_CHECK: z.enum(['off', 'warn', 'block']).default('block'),
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(60).default(60),
  SIGNING_KEY_DAYS: z.coerce.number().positive().default(30),
  /** Wrong passwords from unknown devices, guessed codes and requests for mail, each per client address and 15 minutes. */
  FAILURES_PER_ADDRESS: z.coerce.number().int().positive().default(300),
  /** Taken addresses that sign-up tells one client address of in an hour. */
  ADDRESS_PROBES_PER_HOUR: z.coerce.number().int().positive().default(10),
  /** smtp://[user:password@]host:port, or smtps:// for TLS from the first byte. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be a URL that starts with smtp:// or smtps://' }),
  /** Whom mails come from: an address, or 'Name <address>'. */
  MAIL_FROM: z.string().regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address or Name <address>'),
  /** How long a mail that cannot wait for the digest is held, for what else happens and for its receiver to see it in the app. */
  NOTICE_MAIL_HOLD_SECONDS: z.coerce.number().int().min(0).max(3_600).default(300),
  /** For development: push services on this machine or its network, without TLS. Never where strangers sign up (S30). */
  PUSH_TO_PRIVATE_ADDRESSES: flag.default(false),
  /** How long a push service may take to answer; what it does not take by then is tried again later. */
  PUSH_TIMEOUT_SECONDS: z.coerce.number().min(1).max(25).default(10),
  /** The other services: each is asked for what it holds of a person who exports their data, activity whose a photo is. */
  ACTIVITY_URL: serviceUrl,
  SCORING_URL: serviceUrl,
  SOCIAL_URL: serviceUrl,
  INTEGRATIONS_URL: serviceUrl,
});
export type IdentityEnv = z.infer<typeof identityEnvSchema>;
