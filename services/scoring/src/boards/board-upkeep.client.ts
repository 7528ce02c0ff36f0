import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres';
import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Turns } from '@caravan/service-kit/turns';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Board } from './board.client.ts';
import type { VersionedTotal } from './board.client.ts';
import type { WhichBoard } from './board-entry.ts';
import { boardsOf, teamsOf } from './board-news.ts';
import type { Credit } from './board-news.ts';
import { generationSql } from './board-generation.ts';
import { partSql } from './board-rows.ts';
import { foldSql } from './fold-credits.ts';

const creditsPerTurn = 5_000;
const totalsPerPart = 2_000;
const sweepMilliseconds = 2_000;
const noId = '00000000-0000-0000-0000-000000000000';

// With each credit where its member stands by now: of all miles, and of the credit's week.
const freshSql = `
  select f.entry_id as "entryId", f.user_id as "userId", f.week_starts_on as "weekStartsOn", f.team_id as "teamId",
    m.team_id as "currentTeamId", t.centimiles, t.reached_at as "reachedAt", t.version, w.centimiles as "weekCentimiles",
    w.reached_at as "weekReachedAt", w.version as "weekVersion"
  from fresh_credits f
  join member_totals t on t.org_id = f.org_id and t.user_id = f.user_id
  join member_weeks w on w.org_id = f.org_id and w.week_starts_on = f.week_starts_on and w.user_id = f.user_id
  left join members m on m.org_id = f.org_id and m.user_id = f.user_id
  where f.org_id = $1 order by f.entry_id limit ${creditsPerTurn}`;

/** Brings fresh credits into teams' sums and onto the Redis boards, and builds boards that Redis has lost. */
@Injectable()
export class BoardUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly turns = new Turns({
    take: async (orgId) => (await this.takeTurn(orgId)) === creditsPerTurn,
    failed: (error, orgId) => this.log.warn({ err: error, orgId }, 'credits wait for their team and board'),
  });
  private readonly builds = new Set<string>();
  private readonly listeners: ((orgId: string) => void)[] = [];
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Board) private readonly board: Board,
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** What a killed process left behind is found by looking again, as long as this one runs. */
  onApplicationBootstrap(): void {
    this.sweeper = setInterval(() => void this.sweep(), sweepMilliseconds);
  }

  onModuleDestroy(): void {
    clearInterval(this.sweeper);
  }

  /** Hears of each organisation whose teams have new sums; must not throw. */
  onSettled(listener: (orgId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Call after credits were committed; one turn per organisation at a time takes in all that came before it. */
  settle(orgId: string): void {
    this.turns.ask(orgId);
  }

  /** Open pages read again what stands beside the sums. */
  announce(orgId: string): void {
    this.live.publish(orgId, ['stats']);
  }

  /** Builds a board from its rows, unless somebody is at it. */
  rebuild({ orgId, weekStartsOn }: WhichBoard): void {
    const board = { orgId, weekStartsOn };
    const name = `${orgId} ${weekStartsOn}`;
    if (this.builds.has(name)) return;
    this.builds.add(name);
    this.build(board)
      .catch((error: unknown) => this.log.warn({ err: error, ...board }, 'board not built'))
      .finally(() => this.builds.delete(name));
  }

  private async takeTurn(orgId: string): Promise<number> {
    const { rows } = await tenantQuery<Credit & { entryId: string }>(this.pool, orgId, freshSql, [orgId]);
    if (rows.length === 0) return 0;
    const isMissed = await this.misses(orgId, rows);
    // How far challenges have come shows in the teams only whose members moved.
    this.live.publish(orgId, ['stats', 'board'], { teams: { teamIds: teamsOf(rows), kinds: ['challenges'] } });
    const entryIds = rows.map(({ entryId }) => entryId);
    await withTenant(this.pool, orgId, (tx) => tx.last(foldSql, [orgId, entryIds, isMissed]));
    for (const listener of this.listeners) listener(orgId);
    return rows.length;
  }

  /** True when the boards have missed these totals, which makes them boards of an older generation. */
  private async misses(orgId: string, credits: readonly Credit[]): Promise<boolean> {
    try {
      await this.board.raise(...boardsOf(orgId, credits));
      return false;
    } catch (error) {
      this.log.debug({ err: error, orgId }, 'boards missed a change');
      return true;
    }
  }

  private async build(board: WhichBoard): Promise<void> {
    const { orgId, weekStartsOn } = board;
    const generationOf = `select ${generationSql} as generation`;
    const { rows } = await tenantQuery<{ generation: string }>(this.pool, orgId, generationOf, [orgId]);
    const build = await this.board.begin(board, rows[0]?.generation ?? '');
    if (!build) return;
    let after: string | undefined = noId;
    while (after !== undefined) {
      const values = [orgId, weekStartsOn, after, totalsPerPart];
      const part: { rows: VersionedTotal[] } = await tenantQuery(this.pool, orgId, partSql(board), values);
      await this.board.continueWith(build, part.rows);
      after = part.rows.at(-1)?.userId;
    }
    const isReady = await this.board.finish(build);
    this.log.info({ ...board, isReady }, 'board built');
  }

  private async sweep(): Promise<void> {
    try {
      const { rows } = await withSystem(this.pool, (tx) =>
        tx.last<{ orgId: string }>('select distinct org_id as "orgId" from fresh_credits', []),
      );
      for (const { orgId } of rows) this.settle(orgId);
    } catch (error) {
      this.log.debug({ err: error }, 'fresh credits not looked for');
    }
  }
}
