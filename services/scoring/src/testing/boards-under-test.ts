import type { Redis } from '@caravan/service-kit/storage/redis';
import type { BoardEntry, WhichBoard } from '../leaderboards/leaderboard-entry.ts';
import { userIdOf } from '../leaderboards/leaderboard-entry.ts';
import { generationSql } from '../leaderboards/leaderboard-rows.query.ts';
import { topSql } from '../leaderboards/leaderboard-rows.query.ts';
import type { ScoringUnderTest } from './scoring-under-test.ts';

/** Boards as Redis holds them, beside the rows behind them. */
export function boardsUnderTest(scoring: ScoringUnderTest, redis: Redis) {
  const keyOf = ({ orgId, weekStartsOn }: WhichBoard, part = '') => `lb:{${orgId}}:u:${weekStartsOn ?? 'all'}${part}`;
  return {
    keyOf,
    /** Members and miles in the order of Redis. */
    inRedis: async (board: WhichBoard): Promise<BoardEntry[]> => {
      const flat = await redis.zrange(keyOf(board), 0, '-1', 'WITHSCORES');
      return flat.flatMap((name, index) =>
        index % 2 === 0 ? [{ userId: userIdOf(name), centimiles: -Number(flat[index + 1]) }] : [],
      );
    },
    inRows: (board: WhichBoard) => scoring.rows<BoardEntry>(board.orgId, topSql(board), board.weekStartsOn, 1_000_000),
    /** Whether Redis has a board of today's generation and of this run of the server. */
    isBuilt: async (board: WhichBoard): Promise<boolean> => {
      const [, runId] = /run_id:(\S+)/.exec(await redis.info('server')) ?? [];
      const [found] = await scoring.rows<{ generation: string }>(board.orgId, `select ${generationSql} as generation`);
      return (await redis.get(keyOf(board, ':ready'))) === `${runId ?? ''}:${found?.generation ?? ''}`;
    },
  };
}
