import { z } from 'zod';
import * as webhooks from '../fitness-webhooks.ts';
import { list } from './operation.ts';

const common = { service: 'integrations', access: 'public' } as const;
const delivered = {
  400: 'It cannot be read.',
  413: 'Larger than any delivery of the platform.',
  415: 'Not application/json.',
};

/** What platforms call; the body is theirs, and its signature is over its bytes. */
export const fitnessWebhooksOperations = list({
  subscribeStrava: {
    ...common,
    method: 'get',
    path: '/api/webhooks/strava/{secret}',
    summary: 'Strava asks whether its deliveries are wanted here; the secret that ends the path is known to it alone.',
    query: webhooks.stravaSubscriptionQuerySchema,
    answers: { 200: webhooks.stravaSubscriptionAnswerSchema },
    refusals: { 404: 'The path or the token is not the one that was agreed.' },
  },
  deliverStrava: {
    ...common,
    method: 'post',
    path: '/api/webhooks/strava/{secret}',
    summary:
      'Strava tells that a workout or a permission changed. It is kept and answered; what changed is asked later.',
    answers: { 200: webhooks.deliveredSchema },
    refusals: { ...delivered, 404: 'The path is not the one that was agreed, or it is no delivery of Strava.' },
  },
  deliverGoogleHealth: {
    ...common,
    method: 'post',
    path: '/api/webhooks/google-health',
    summary: 'Google tells that workouts changed, or verifies that deliveries are wanted here and forged ones are not.',
    answers: { 201: z.null(), 204: z.null() },
    refusals: { ...delivered, 401: 'It does not show what was agreed, or is not signed by Google.' },
  },
  verifyFitbit: {
    ...common,
    method: 'get',
    path: '/api/webhooks/fitbit',
    summary: 'Fitbit asks whether its deliveries are wanted here.',
    query: webhooks.fitbitVerificationQuerySchema,
    answers: { 204: z.null() },
    refusals: { 404: 'The code is not the one that was agreed.' },
  },
  deliverFitbit: {
    ...common,
    method: 'post',
    path: '/api/webhooks/fitbit',
    summary: 'Fitbit tells of something, as it did before it was switched off (D22).',
    answers: { 204: z.null() },
    refusals: { ...delivered, 404: 'It is not signed by Fitbit.' },
  },
});
