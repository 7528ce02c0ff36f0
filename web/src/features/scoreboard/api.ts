import type { BoardPeriod, BoardWeeks } from '@caravan/contracts/http/scores';
import { boardOf } from '../../lib/answers.ts';
import { readBoardWeeks, readLeaderboard } from '../../lib/api/generated/sdk.gen.ts';
import { complete } from '../../lib/complete.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** The board of all miles, or of those of the running week. */
export const leaderboardQuery = (period: BoardPeriod) =>
  period === 'all'
    ? dataQuery(['/api/leaderboard'], async (options) => boardOf(await readLeaderboard(options)))
    : dataQuery(['/api/leaderboard', period], async ({ signal }) =>
        boardOf(await readLeaderboard({ query: { period }, signal })),
      );

/** Own rank at the end of the last weeks, and what teams brought in each of them. */
export const boardWeeksQuery = dataQuery<BoardWeeks>(['/api/leaderboard/weeks'], async (options) =>
  complete<BoardWeeks>(await readBoardWeeks(options), { weeks: [], ranks: [], teams: [] }),
);
