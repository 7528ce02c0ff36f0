import { readAnalytics, readRecapsEffect } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** How many finished weeks are looked at. */
export type PeriodChoice = '4' | '12' | '26';

export const analyticsQuery = (weeks: PeriodChoice) =>
  dataQuery(['/api/analytics', weeks], ({ signal }) => readAnalytics({ query: { weeks }, signal }));

export const recapsEffectQuery = dataQuery(['/api/analytics/recaps'], ({ signal }) => readRecapsEffect({ signal }));
