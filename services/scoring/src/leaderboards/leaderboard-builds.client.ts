import { setTimeout as pause } from 'node:timers/promises';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { WorkQueue } from '../queues/index.ts';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RedisLeaderboard, type Build, type VersionedTotal } from './redis-leaderboard.client.ts';
import type { WhichBoard } from './leaderboard-entry.ts';
import { generationSql } from './leaderboard-rows.query.ts';
import { partSql } from './leaderboard-rows.query.ts';

/** Where Redis is lost, all boards are asked for at once; until then readers are served from the rows. */
const buildsAtATime = 2;
const totalsPerPart = 1_000;
const partTries = 5;
const partPauseMilliseconds = 200;
const noId = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class LeaderboardBuilds implements OnModuleDestroy {
  private readonly queue: WorkQueue<WhichBoard>;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(RedisLeaderboard) private readonly board: RedisLeaderboard,
    @Inject(Log) private readonly log: Log,
    @Inject(BackgroundWork) background: BackgroundWork,
  ) {
    this.queue = new WorkQueue<WhichBoard>({
      background,
      name: 'scoring.leaderboard-builds',
      atATime: buildsAtATime,
      work: (board) => this.build(board),
      onFailure: (error, board) => this.log.warn({ err: error, ...board }, 'board not built'),
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.end();
  }

  ask({ orgId, weekStartsOn }: WhichBoard): void {
    this.queue.ask(`${orgId} ${weekStartsOn}`, { orgId, weekStartsOn });
  }

  private async build(board: WhichBoard): Promise<void> {
    const { orgId } = board;
    const generationOf = `select ${generationSql} as generation`;
    const { rows } = await tenantQuery<{ generation: string }>(this.pool, orgId, generationOf, [orgId]);
    const build = await this.board.begin(board, rows[0]?.generation ?? '');
    if (!build) return;
    try {
      await this.fill(build);
    } catch (error) {
      // Otherwise nobody could build it for as long as a part may take.
      await this.board.giveUp(build).catch(() => undefined);
      throw error;
    }
    const isReady = await this.board.finish(build);
    this.log.info({ ...board, isReady }, 'board built');
  }

  private async fill(build: Build): Promise<void> {
    const { orgId, weekStartsOn } = build.board;
    let after: string | undefined = noId;
    while (after !== undefined) {
      const values = [orgId, weekStartsOn, after, totalsPerPart];
      const part: { rows: VersionedTotal[] } = await tenantQuery(this.pool, orgId, partSql(build.board), values);
      await this.write(build, part.rows);
      after = part.rows.at(-1)?.userId;
    }
  }

  /** A lost connection costs a part, which may be written twice, and not the build. */
  private async write(build: Build, totals: readonly VersionedTotal[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.board.continueWith(build, totals);
        return;
      } catch (error) {
        if (tries === partTries) throw error;
        await pause(partPauseMilliseconds * 2 ** (tries - 1));
      }
    }
  }
}
