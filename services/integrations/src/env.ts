import { readEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' });
/** No slash at its end: paths are put behind it. */
const base = address.refine((url) => !url.endsWith('/'), 'must not end with a slash');
const secret = z.string().regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 letters, digits or signs, no blanks');
const pathSecret = z.string().regex(/^[\w-]{32,}$/, 'must be at least 32 letters, digits, - or _');

const key = z
  .base64({ error: 'must be base64' })
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64');

/** Apps that the administrator has registered; a platform without one is not set up (docs/operate/platforms.md). */
export const integrationsEnvSchema = serviceEnvSchema.extend({
  /** Seals the tokens that platforms give. */
  PROVIDER_TOKEN_KEY: key,
  /** What sealed before, separated by commas: they open, until every token is sealed anew. */
  PROVIDER_TOKEN_KEYS_BEFORE: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(key))
    .default([]),
  /** How long a platform may take to answer. */
  PROVIDER_TIMEOUT_SECONDS: z.coerce.number().min(0.05).max(60).default(10),
  STRAVA_CLIENT_ID: z.string().optional(),
  STRAVA_CLIENT_SECRET: z.string().optional(),
  STRAVA_SCOPES: z.string().default('activity:read'),
  /** Ends the path that Strava tells us of changes at, and is the token that it shows when it subscribes. */
  STRAVA_WEBHOOK_SECRET: pathSecret.optional(),
  /** Strava names it in every delivery. */
  STRAVA_SUBSCRIPTION_ID: z.string().optional(),
  /** Where browsers are sent. */
  STRAVA_AUTHORIZE_URL: address.default('https://www.strava.com/oauth/authorize'),
  STRAVA_OAUTH_URL: base.default('https://www.strava.com/oauth'),
  STRAVA_API_URL: base.default('https://www.strava.com/api/v3'),
  GOOGLE_HEALTH_CLIENT_ID: z.string().optional(),
  GOOGLE_HEALTH_CLIENT_SECRET: z.string().optional(),
  GOOGLE_HEALTH_SCOPES: z
    .string()
    .default('https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly'),
  /** What Google shows as Authorization with every delivery: the subscriber's `endpointAuthorization.secret`. */
  GOOGLE_HEALTH_WEBHOOK_SECRET: secret.optional(),
  GOOGLE_HEALTH_AUTHORIZE_URL: address.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_HEALTH_OAUTH_URL: base.default('https://oauth2.googleapis.com'),
  GOOGLE_HEALTH_API_URL: base.default('https://health.googleapis.com/v4'),
  /** The keys by which deliveries are signed. */
  GOOGLE_HEALTH_KEYS_URL: address.default(
    'https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json',
  ),
  /** Of an app at Fitbit before it was switched off: deliveries that still come are verified by it. */
  FITBIT_CLIENT_SECRET: z.string().optional(),
  /** What Fitbit was told to ask for when it verified that deliveries are wanted here. */
  FITBIT_VERIFY_CODE: z.string().optional(),
  FITBIT_API_URL: base.default('https://api.fitbit.com'),
});
export type IntegrationsEnv = z.infer<typeof integrationsEnvSchema>;

export const env = () => readEnv(integrationsEnvSchema);
