import { tenantQuery } from '@caravan/event-store/postgres';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { Board } from './board.client.ts';
import type { BoardExtent, BoardReading, FastReading } from './board.client.ts';
import type { BoardEntry } from './board-entry.ts';
import { generationSql } from './board-generation.ts';
import { BoardUpkeep } from './board-upkeep.client.ts';

/** What the rows say that tells whether a reading from Redis may be believed. */
export type Truth = {
  /** Of the organisation's board. */
  readonly generation: string;
  /** Of the member's total; 0 without miles. */
  readonly ownVersion: number;
};

/** One select list for `Truth`; $1 is the organisation, $2 the member. */
export const truthColumns = `
  ${generationSql} as generation,
  coalesce((select version from member_totals where org_id = $1 and user_id = $2), 0) as "ownVersion"`;

const inOrder = '-centimiles, reached_at, user_id';
const entryColumns = `user_id as "userId", centimiles`;

const topSql = `
  select ${entryColumns} from member_totals where org_id = $1 and centimiles > 0 order by ${inOrder} limit $2`;

const aroundSql = `
  with own as (
    select -centimiles as score, reached_at, user_id from member_totals
    where org_id = $1 and user_id = $2 and centimiles > 0
  ), above as (
    select t.user_id, t.centimiles, t.reached_at from member_totals t, own
    where t.org_id = $1 and t.centimiles > 0 and (-t.centimiles, t.reached_at, t.user_id) < (own.score, own.reached_at, own.user_id)
    order by -t.centimiles desc, t.reached_at desc, t.user_id desc limit $3
  ), below as (
    select t.user_id, t.centimiles, t.reached_at from member_totals t, own
    where t.org_id = $1 and t.centimiles > 0 and (-t.centimiles, t.reached_at, t.user_id) >= (own.score, own.reached_at, own.user_id)
    order by -t.centimiles, t.reached_at, t.user_id limit $3 + 1
  )
  select ${entryColumns},
    (select count(*) from member_totals t, own where t.org_id = $1 and t.centimiles > 0
      and (-t.centimiles, t.reached_at, t.user_id) < (own.score, own.reached_at, own.user_id)) - (select count(*) from above) as above,
    1 + (select count(*) from member_totals t where t.org_id = $1 and t.centimiles > 0
      and -t.centimiles < (select min(-centimiles) from (table above union all table below) a)) as rank
  from (table above union all table below) a
  order by ${inOrder}`;

/** How long a Redis that did not answer is left alone. */
const pauseMilliseconds = 1_000;

/** The board of an organisation: from Redis where that can be believed, else from the rows. */
@Injectable()
export class BoardQuery {
  private isPaused = false;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Board) private readonly board: Board,
    @Inject(BoardUpkeep) private readonly upkeep: BoardUpkeep,
    @Inject(Log) private readonly log: Log,
  ) {}

  /**
   * Reads a board together with what the caller reads of the rows; `rowsOf` is one query that also answers `Truth`.
   * The caller's own miles are on the board that comes back, whatever Redis has missed.
   */
  async read<Rows extends Truth>(
    { orgId, userId }: { orgId: string; userId: string },
    extent: BoardExtent,
    rowsOf: (board: BoardReading) => Promise<Rows>,
  ): Promise<{ board: BoardReading; rows: Rows }> {
    const fast = this.isPaused ? undefined : await this.fromRedis(orgId, userId, extent);
    if (fast) {
      const rows = await rowsOf(fast);
      if (this.believes(orgId, fast, rows)) return { board: fast, rows };
    }
    const board = await this.fromRows(orgId, userId, extent);
    return { board, rows: await rowsOf(board) };
  }

  private believes(orgId: string, fast: FastReading, truth: Truth): boolean {
    if (fast.generation !== truth.generation) {
      this.upkeep.rebuild(orgId);
      return false;
    }
    if (fast.ownVersion >= truth.ownVersion) return true;
    this.upkeep.settle(orgId);
    return false;
  }

  private async fromRedis(orgId: string, userId: string, extent: BoardExtent): Promise<FastReading | undefined> {
    try {
      const reading = await this.board.read(orgId, userId, extent);
      if (!reading) this.upkeep.rebuild(orgId);
      return reading;
    } catch (error) {
      this.log.debug({ err: error }, 'boards are read from rows');
      this.isPaused = true;
      setTimeout(() => {
        this.isPaused = false;
      }, pauseMilliseconds).unref();
      return undefined;
    }
  }

  private async fromRows(orgId: string, userId: string, { top, neighbours }: BoardExtent): Promise<BoardReading> {
    const [first, around] = await Promise.all([
      top > 0 ? tenantQuery<BoardEntry>(this.pool, orgId, topSql, [orgId, top]) : { rows: [] },
      tenantQuery<BoardEntry & { above: number; rank: number }>(this.pool, orgId, aroundSql, [
        orgId,
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
