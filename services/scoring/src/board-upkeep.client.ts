import { tenantQuery, withSystem, withTenant } from '@caravan/event-store/postgres';
import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Board } from './board.client.ts';
import type { VersionedTotal } from './board.client.ts';
import { generationSql } from './board-generation.ts';

const creditsPerTurn = 5_000;
const totalsPerPart = 2_000;
const sweepMilliseconds = 2_000;
const noId = '00000000-0000-0000-0000-000000000000';

const freshSql = `
  select f.entry_id as "entryId", t.user_id as "userId", t.centimiles, t.reached_at as "reachedAt", t.version
  from fresh_credits f join member_totals t on t.org_id = f.org_id and t.user_id = f.user_id
  where f.org_id = $1 order by f.entry_id limit ${creditsPerTurn}`;

// Sorted, so that two processes that fold the same teams cannot wait crosswise.
const foldSql = `
  with folded as (
    delete from fresh_credits where org_id = $1 and entry_id = any($2::uuid[])
    returning team_id, user_id, credited_on, week_starts_on, centimiles, credited_at
  ), weeks as (
    insert into team_weeks as w (org_id, team_id, week_starts_on, centimiles)
    select $1, team_id, week_starts_on, sum(centimiles) from folded group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, week_starts_on) do update set centimiles = w.centimiles + excluded.centimiles
  ), days as (
    insert into team_days as d (org_id, team_id, credited_on, centimiles)
    select $1, team_id, credited_on, sum(centimiles) from folded group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, credited_on) do update set centimiles = d.centimiles + excluded.centimiles
  ), contributors as (
    insert into team_contributors as c (org_id, team_id, user_id, last_credited_on)
    select $1, team_id, user_id, max(credited_on) from folded where centimiles > 0 group by 2, 3 order by 2, 3
    on conflict (org_id, team_id, user_id) do update set last_credited_on = excluded.last_credited_on
      where c.last_credited_on < excluded.last_credited_on
  ), generations as (
    insert into board_generations as g (org_id, generation) select $1, 1 where $3
    on conflict (org_id) do update set generation = g.generation + 1
  )
  insert into team_totals as t (org_id, team_id, centimiles, reached_at)
  select $1, team_id, sum(centimiles), max(credited_at) from folded group by 2 order by 2
  on conflict (org_id, team_id) do update set centimiles = t.centimiles + excluded.centimiles,
    reached_at = greatest(t.reached_at, excluded.reached_at)`;

const partSql = `
  select user_id as "userId", centimiles, reached_at as "reachedAt", version
  from member_totals where org_id = $1 and user_id > $2 order by user_id limit ${totalsPerPart}`;

type Turn = { isAskedAgain: boolean };

/** Brings fresh credits into teams' sums and onto the Redis boards, and builds boards that Redis has lost. */
@Injectable()
export class BoardUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly turns = new Map<string, Turn>();
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
    const running = this.turns.get(orgId);
    if (running) {
      running.isAskedAgain = true;
      return;
    }
    const turn = { isAskedAgain: false };
    this.turns.set(orgId, turn);
    this.takeTurns(orgId, turn).catch((error: unknown) => {
      this.log.warn({ err: error, orgId }, 'credits wait for their team and board');
    });
  }

  /** Open pages read again what stands beside the sums. */
  announce(orgId: string): void {
    this.live.publish(orgId, ['stats']);
  }

  /** Builds an organisation's board from its rows, unless somebody is at it. */
  rebuild(orgId: string): void {
    if (this.builds.has(orgId)) return;
    this.builds.add(orgId);
    this.build(orgId)
      .catch((error: unknown) => this.log.warn({ err: error, orgId }, 'board not built'))
      .finally(() => this.builds.delete(orgId));
  }

  private async takeTurns(orgId: string, turn: Turn): Promise<void> {
    try {
      do {
        turn.isAskedAgain = false;
        turn.isAskedAgain ||= (await this.takeTurn(orgId)) === creditsPerTurn;
      } while (turn.isAskedAgain);
    } finally {
      // In the same step as the last look at the flag, so that nobody asks a turn that has ended.
      this.turns.delete(orgId);
    }
  }

  private async takeTurn(orgId: string): Promise<number> {
    const { rows } = await tenantQuery<VersionedTotal & { entryId: string }>(this.pool, orgId, freshSql, [orgId]);
    if (rows.length === 0) return 0;
    const isMissed = await this.misses(orgId, rows);
    this.live.publish(orgId, ['stats', 'board', 'challenges']);
    const entryIds = rows.map(({ entryId }) => entryId);
    await withTenant(this.pool, orgId, (tx) => tx.last(foldSql, [orgId, entryIds, isMissed]));
    for (const listener of this.listeners) listener(orgId);
    return rows.length;
  }

  /** True when the board has missed these totals, which makes it a board of an older generation. */
  private async misses(orgId: string, totals: readonly VersionedTotal[]): Promise<boolean> {
    const byMember = new Map(totals.map((total) => [total.userId, total]));
    try {
      await this.board.raise(orgId, [...byMember.values()]);
      return false;
    } catch (error) {
      this.log.debug({ err: error, orgId }, 'board missed a change');
      return true;
    }
  }

  private async build(orgId: string): Promise<void> {
    const generationOf = `select ${generationSql} as generation`;
    const { rows } = await tenantQuery<{ generation: string }>(this.pool, orgId, generationOf, [orgId]);
    const build = await this.board.begin(orgId, rows[0]?.generation ?? '');
    if (!build) return;
    let after: string | undefined = noId;
    while (after !== undefined) {
      const part: { rows: VersionedTotal[] } = await tenantQuery(this.pool, orgId, partSql, [orgId, after]);
      await this.board.continueWith(build, part.rows);
      after = part.rows.at(-1)?.userId;
    }
    const isReady = await this.board.finish(build);
    this.log.info({ orgId, isReady }, 'board built');
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
