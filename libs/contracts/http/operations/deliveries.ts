import * as deliveries from '../deliveries.ts';
import { list } from './operation.ts';

export const deliveriesOperations = list({
  unsubscribe: {
    method: 'post',
    path: '/api/unsubscribe',
    service: 'identity',
    access: 'public',
    summary: 'End the mails that one came with, by its token; also what mail programs post to (RFC 8058).',
    query: deliveries.unsubscribeQuerySchema,
    answers: { 200: deliveries.unsubscribedSchema },
    refusals: { 422: 'The token was not made here, or its account is gone.' },
  },
  readPushKey: {
    method: 'get',
    path: '/api/push/key',
    service: 'identity',
    access: 'member',
    summary: 'The key that a browser subscribes with.',
    answers: { 200: deliveries.pushKeySchema },
  },
  subscribeToPushes: {
    method: 'post',
    path: '/api/push/subscriptions',
    service: 'identity',
    access: 'member',
    summary:
      'Push notices to this device for as long as its session lives; takes the place of an earlier subscription.',
    body: deliveries.pushSubscriptionRequestSchema,
    answers: { 200: deliveries.pushStateSchema },
    refusals: { 422: 'The endpoint is not a public https address, or a key is not valid.' },
  },
  unsubscribeFromPushes: {
    method: 'delete',
    path: '/api/push/subscriptions',
    service: 'identity',
    access: 'member',
    summary: 'Push nothing more to this device; without a subscription it changes nothing.',
    answers: { 200: deliveries.pushStateSchema },
  },
});
