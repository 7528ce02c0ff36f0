import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { RedisLeaderboard } from './redis-leaderboard.client.ts';
import type { BoardExtent, BoardReading, FastReading } from './redis-leaderboard.client.ts';
import type { WhichBoard } from './leaderboard-entry.ts';
import { type AskedBoard, type Freshness, readBoard } from './leaderboard-rows.query.ts';
import { LeaderboardBuilds } from './leaderboard-builds.client.ts';

const readingsAtATime = 100;

export const isCurrentReading = (
  reading: FastReading | 'behind' | undefined,
  generation: string,
): reading is FastReading => reading !== undefined && reading !== 'behind' && reading.generation === generation;

@Injectable()
export class PlacesService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(RedisLeaderboard) private readonly board: RedisLeaderboard,
    @Inject(LeaderboardBuilds) private readonly builds: LeaderboardBuilds,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Reads from Redis, or from PostgreSQL while Redis is behind the rows: the caller's own miles are always counted. */
  async read<Rows extends Freshness>(
    asked: AskedBoard,
    extent: BoardExtent,
    rowsOf: (board: BoardReading) => Promise<Rows>,
  ): Promise<{ board: BoardReading; rows: Rows }> {
    let fast = await this.fromRedis(asked, extent);
    for (let isRaised = false; fast; isRaised = true) {
      const rows = await rowsOf(fast);
      const state = this.stateOf(asked, fast, rows);
      if (state === 'current') return { board: fast, rows };
      fast = state === 'behind' && !isRaised ? await this.raiseOwnTotal(asked, extent, rows) : undefined;
    }
    const board = await readBoard(this.pool, asked, extent);
    return { board, rows: await rowsOf(board) };
  }

  /** The same as `read` for rows that do not depend on the board, which are read only once. */
  async readBeside<Rows extends Freshness>(
    asked: AskedBoard,
    extent: BoardExtent,
    readRows: () => Promise<Rows>,
  ): Promise<{ board: BoardReading; rows: Rows }> {
    let fast = await this.fromRedis(asked, extent);
    const rows = await readRows();
    if (fast && this.stateOf(asked, fast, rows) === 'behind') fast = await this.raiseOwnTotal(asked, extent, rows);
    const isCurrent = fast && this.stateOf(asked, fast, rows) === 'current';
    return { board: fast && isCurrent ? fast : await readBoard(this.pool, asked, extent), rows };
  }

  /** Read the versions first. `behind`: credits are under way, and their settling is announced to the reader's page. */
  async readingsOf(
    board: WhichBoard,
    { readers, neighbours }: { readers: readonly { userId: string; version: number }[]; neighbours: number },
  ): Promise<ReadonlyMap<string, FastReading | 'behind'>> {
    const extent = { top: 0, neighbours };
    const found = new Map<string, FastReading | 'behind'>();
    const read = async ({ userId, version }: { userId: string; version: number }) => {
      const reading = await this.fromRedis({ ...board, userId }, extent);
      if (reading) found.set(userId, reading.ownVersion < version ? 'behind' : reading);
    };
    // A few at a time: Redis answers one after the other, and others wait for it too.
    for (let at = 0; at < readers.length; at += readingsAtATime)
      await Promise.all(readers.slice(at, at + readingsAtATime).map(read));
    return found;
  }

  private stateOf(
    asked: AskedBoard,
    fast: FastReading,
    { generation, ownTotal }: Freshness,
  ): 'current' | 'behind' | 'old' {
    if (fast.generation !== generation) {
      this.builds.ask(asked);
      return 'old';
    }
    return fast.ownVersion >= (ownTotal?.version ?? 0) ? 'current' : 'behind';
  }

  /**
   * Raises the reader's own total in Redis. The process that committed the credits does that too, or the next sweep; the
   * reader does not wait for them, and counting everybody above in PostgreSQL would cost as much as the organisation is large.
   */
  private async raiseOwnTotal(
    asked: AskedBoard,
    extent: BoardExtent,
    { ownTotal }: Freshness,
  ): Promise<FastReading | undefined> {
    if (!ownTotal) return undefined;
    const total = { ...ownTotal, userId: asked.userId, reachedAt: new Date(ownTotal.reachedAt) };
    try {
      await this.board.raise({ board: asked, totals: [total] });
    } catch (error) {
      this.log.debug({ err: error }, 'boards are read from rows');
      return undefined;
    }
    return this.fromRedis(asked, extent);
  }

  private async fromRedis(asked: AskedBoard, extent: BoardExtent): Promise<FastReading | undefined> {
    try {
      const reading = await this.board.read(asked, asked.userId, extent);
      if (!reading) this.builds.ask(asked);
      return reading;
    } catch (error) {
      this.log.debug({ err: error }, 'boards are read from rows');
      return undefined;
    }
  }
}
