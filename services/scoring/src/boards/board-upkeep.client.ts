import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres';
import { Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { Repeating } from '@caravan/service-kit/repeating';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Turns } from '@caravan/service-kit/turns';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Board } from './board.client.ts';
import { boardsOf, teamsOf } from './board-news.ts';
import type { Credit } from './board-news.ts';
import { foldSql } from './fold-credits.ts';

const creditsPerTurn = 5_000;
const sweepMilliseconds = 2_000;

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

/** Brings fresh credits into teams' sums and onto the Redis boards. */
@Injectable()
export class BoardUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly turns = new Turns({
    take: async (orgId) => {
      let taken = 0;
      await this.organisations.attempt(orgId, async () => (taken = await this.takeTurn(orgId)));
      return taken === creditsPerTurn;
    },
    failed: (error, orgId) =>
      this.organisations.log.warn({ err: error, orgId }, 'credits wait for their teams and boards'),
  });
  private readonly organisations: Sweep;
  private readonly listeners: ((orgId: string) => void)[] = [];
  private readonly sweeps = new Repeating(sweepMilliseconds, () => this.sweep());

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Board) private readonly board: Board,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.fresh-credits');
  }

  /** What a killed process left behind is found by looking again, as long as this one runs. */
  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
    await this.turns.end();
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
      this.organisations.log.debug({ err: error, orgId }, 'boards missed a change');
      return true;
    }
  }

  private sweep(): Promise<void> {
    return this.organisations.look(async () => {
      const { rows } = await withSystem(this.pool, (tx) =>
        tx.last<{ orgId: string }>('select distinct org_id as "orgId" from fresh_credits', []),
      );
      for (const { orgId } of rows) this.settle(orgId);
    });
  }
}
