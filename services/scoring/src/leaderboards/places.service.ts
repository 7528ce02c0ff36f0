import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { RedisLeaderboard } from './redis-leaderboard.client.ts';
import type { BoardExtent, BoardReading, FastReading, VersionedTotal } from './redis-leaderboard.client.ts';
import type { BoardEntry, WhichBoard } from './leaderboard-entry.ts';
import {
  aroundSql,
  boardMemberSql,
  boardMilesSql,
  boardVersionSql,
  generationSql,
  topSql,
} from './leaderboard-rows.query.ts';
import { LeaderboardBuilds } from './leaderboard-builds.client.ts';

export type Freshness = {
  readonly generation: string;
  /** Of the reader, as the rows have it; null before the first credit. */
  readonly ownTotal: (Omit<VersionedTotal, 'userId' | 'reachedAt'> & { readonly reachedAt: string }) | null;
};

const ownTotalSql = (sums: string, where = '') => `(
  select json_build_object('centimiles', ${boardMilesSql('t.centimiles')}, 'reachedAt', t.reached_at,
    'version', ${boardVersionSql('t.version')})
  from ${sums} t ${boardMemberSql} where t.org_id = $1 and t.user_id = $2 ${where}
) as own_total`;

/** Of the board of all miles; $1 is the organisation, $2 the member. */
export const freshnessColumns = `
  ${generationSql} as generation, ${ownTotalSql('member_totals')}`;

export const weekFreshnessColumns = `
  ${generationSql} as generation,
  ${ownTotalSql('member_weeks', 'and t.week_starts_on = $3')}`;

export type Asked = WhichBoard & { readonly userId: string };

const readingsAtATime = 100;

export const isCurrentReading = (
  reading: FastReading | 'behind' | undefined,
  generation: string,
): reading is FastReading => reading !== undefined && reading !== 'behind' && reading.generation === generation;

@Injectable()
export class PlacesQuery {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(RedisLeaderboard) private readonly board: RedisLeaderboard,
    @Inject(LeaderboardBuilds) private readonly builds: LeaderboardBuilds,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** `rowsOf` also answers `Freshness`. The caller's own miles are on the board, whatever Redis has missed. */
  async read<Rows extends Freshness>(
    asked: Asked,
    extent: BoardExtent,
    rowsOf: (board: BoardReading) => Promise<Rows>,
  ): Promise<{ board: BoardReading; rows: Rows }> {
    let fast = await this.fromRedis(asked, extent);
    for (let isRaised = false; fast; isRaised = true) {
      const rows = await rowsOf(fast);
      const state = this.stateOf(asked, fast, rows);
      if (state === 'current') return { board: fast, rows };
      fast = state === 'behind' && !isRaised ? await this.raised(asked, extent, rows) : undefined;
    }
    const board = await this.fromRows(asked, extent);
    return { board, rows: await rowsOf(board) };
  }

  /** As `read`, beside rows that do not hang on what the board shows: those are read once. */
  async readBeside<Rows extends Freshness>(
    asked: Asked,
    extent: BoardExtent,
    readRows: () => Promise<Rows>,
  ): Promise<{ board: BoardReading; rows: Rows }> {
    let fast = await this.fromRedis(asked, extent);
    const rows = await readRows();
    if (fast && this.stateOf(asked, fast, rows) === 'behind') fast = await this.raised(asked, extent, rows);
    const isCurrent = fast && this.stateOf(asked, fast, rows) === 'current';
    return { board: fast && isCurrent ? fast : await this.fromRows(asked, extent), rows };
  }

  /** Versions have to be read before. `behind`: credits are on their way; whoever settles them says so. */
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

  private stateOf(asked: Asked, fast: FastReading, { generation, ownTotal }: Freshness): 'current' | 'behind' | 'old' {
    if (fast.generation !== generation) {
      this.builds.ask(asked);
      return 'old';
    }
    return fast.ownVersion >= (ownTotal?.version ?? 0) ? 'current' : 'behind';
  }

  /**
   * The reader's own credits are on their way: whoever committed them raises them, or the next sweep. The reader does not
   * wait for that, and counting the rows of all who stand above would cost what the organisation is large.
   */
  private async raised(asked: Asked, extent: BoardExtent, { ownTotal }: Freshness): Promise<FastReading | undefined> {
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

  private async fromRedis(asked: Asked, extent: BoardExtent): Promise<FastReading | undefined> {
    try {
      const reading = await this.board.read(asked, asked.userId, extent);
      if (!reading) this.builds.ask(asked);
      return reading;
    } catch (error) {
      this.log.debug({ err: error }, 'boards are read from rows');
      return undefined;
    }
  }

  private async fromRows(asked: Asked, { top, neighbours }: BoardExtent): Promise<BoardReading> {
    const { orgId, userId, weekStartsOn } = asked;
    const which = [orgId, weekStartsOn];
    const [first, around] = await Promise.all([
      top > 0 ? tenantQuery<BoardEntry>(this.pool, orgId, topSql(asked), [...which, top]) : { rows: [] },
      tenantQuery<BoardEntry & { above: number; rank: number }>(this.pool, orgId, aroundSql(asked), [
        ...which,
        userId,
        neighbours,
      ]),
    ]);
    return {
      top: { entries: first.rows, above: 0, firstRank: 1 },
      around: { entries: around.rows, above: around.rows[0]?.above ?? 0, firstRank: around.rows[0]?.rank ?? 1 },
    };
  }
}
