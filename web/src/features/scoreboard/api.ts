import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { boardOf } from '../../lib/answers.ts';
import { readLeaderboard } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The board of all miles, or of those of the running week. */
export const leaderboardQuery = (period: BoardPeriod) =>
  period === 'all'
    ? dataQuery(['/api/leaderboard'], async (options) => boardOf(await readLeaderboard(options)))
    : dataQuery(['/api/leaderboard', period], async ({ signal }) =>
        boardOf(await readLeaderboard({ query: { period }, signal })),
      );
