import { readAnalytics, readRecapsEffect } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** How many finished weeks are looked at. */
export const periods = ['4', '12', '26'] as const;
export type PeriodChoice = (typeof periods)[number];

export const analyticsQuery = (weeks: PeriodChoice) =>
  dataQuery(['/api/analytics', weeks], ({ signal }) => readAnalytics({ query: { weeks }, signal }));

export const recapsEffectQuery = dataQuery(['/api/analytics/recaps'], ({ signal }) => readRecapsEffect({ signal }));
