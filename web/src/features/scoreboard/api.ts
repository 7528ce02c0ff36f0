import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { readLeaderboard } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The board of all miles, or of those of the running week. */
export const leaderboardQuery = (period: BoardPeriod) =>
  period === 'all'
    ? dataQuery(['/api/leaderboard'], readLeaderboard)
    : dataQuery(['/api/leaderboard', period], ({ signal }) => readLeaderboard({ query: { period }, signal }));
