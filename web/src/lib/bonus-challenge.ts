import { queryOptions } from '@tanstack/react-query';
import { readBonusChallenge } from './api/generated/sdk.gen.ts';
import { dataQuery } from './query-client.ts';

const refetchMilliseconds = 60_000;

/** The open bonus challenge, or null; asked again every minute (9.7). */
export const bonusChallengeQuery = queryOptions({
  ...dataQuery(['/api/bonus-challenge'], readBonusChallenge),
  refetchInterval: refetchMilliseconds,
});
