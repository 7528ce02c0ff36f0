import * as analytics from '../analytics.ts';
import { list } from './operation.ts';

export const analyticsOperations = list({
  readAnalytics: {
    method: 'get',
    path: '/api/analytics',
    service: 'scoring',
    access: 'admin',
    summary:
      'How the organisation moves: participation, retention, logs by day and activity, teams, challenges. Sums of finished weeks, none of them about fewer than five people.',
    query: analytics.analyticsQuerySchema,
    answers: { 200: analytics.analyticsSchema },
  },
  readRecapsEffect: {
    method: 'get',
    path: '/api/analytics/recaps',
    service: 'social',
    access: 'admin',
    summary: 'Whether those who read a recap move on more often than the others; nothing about fewer than five people.',
    answers: { 200: analytics.recapsEffectSchema },
  },
});
