import { z } from 'zod';

const required = 'Token is required';

export const unsubscribeQuerySchema = z.object({
  token: z.string({ error: required }).min(1, required).max(200, 'This token is too long'),
});

/** The switch of the settings that is off now. */
export const unsubscribedSchema = z.object({ mails: z.enum(['email', 'teamUpdates', 'weeklyReports']) });
export type Unsubscribed = z.infer<typeof unsubscribedSchema>;

/** What a browser knows this instance by (RFC 8292): a point of P-256 in base64url. */
export const pushKeySchema = z.object({ key: z.string() });
export type PushKey = z.infer<typeof pushKeySchema>;

/** Browsers leave the padding out, libraries may not. */
const base64url = (bytes: number, what: string) => {
  const letters = Math.ceil((bytes * 4) / 3);
  return z
    .string({ error: `${what} is required` })
    .regex(new RegExp(`^[A-Za-z0-9_-]{${letters}}={0,2}$`), `${what} must be ${bytes} bytes in base64url`)
    .meta({ format: 'base64url' });
};

/** As `PushSubscription.toJSON()` spells it; its `expirationTime` is not needed. */
export const pushSubscriptionRequestSchema = z.object({
  endpoint: z
    .url({ error: 'The endpoint must be an address', protocol: /^https?$/ })
    .max(2_000, 'The endpoint is too long')
    .meta({ description: 'As the browser names it.', pattern: '^https://[a-z]{1,60}[.]example/[A-Za-z0-9_-]{0,200}$' }),
  keys: z.object(
    { p256dh: base64url(65, 'p256dh'), auth: base64url(16, 'auth') },
    { error: 'The keys of the subscription are required' },
  ),
});
export type PushSubscriptionRequest = z.infer<typeof pushSubscriptionRequestSchema>;

export const pushStateSchema = z.object({ isSubscribed: z.boolean() });
export type PushState = z.infer<typeof pushStateSchema>;
