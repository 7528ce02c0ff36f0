import { z } from 'zod';

/** Platforms deliver below it. */
export const webhooksPath = '/api/webhooks';

/** A member that repeats itself is a list for the server, and no text. */
const text = (most: number) => z.string().max(most).optional();

export const stravaSubscriptionQuerySchema = z.object({
  'hub.mode': text(20),
  'hub.challenge': text(200),
  'hub.verify_token': text(200),
});
export const stravaSubscriptionAnswerSchema = z.object({ 'hub.challenge': z.string() });

export const deliveredSchema = z.object({});

export const fitbitVerificationQuerySchema = z.object({ verify: text(200) });
