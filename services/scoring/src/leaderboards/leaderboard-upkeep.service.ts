import type { PersonUnit } from '@caravan/event-store/core/event-store';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { KeyedQueue } from '../queues/index.ts';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { AfterCredit, AfterOrganisationNews, LogNews } from '../ports.ts';
import { RedisLeaderboard } from './redis-leaderboard.client.ts';
import { boardsOf, teamsOf } from './leaderboard-entry.ts';
import type { Credit } from './leaderboard-entry.ts';
import { PendingTeamCredits } from './pending-team-credits.service.ts';

const sweepMilliseconds = 2_000;
/** Sums are read with what is not in them yet; writing them rarely spares their rows versions. */
const aggregateMilliseconds = 500;

@Injectable()
export class LeaderboardUpkeep implements AfterCredit, AfterOrganisationNews, OnApplicationBootstrap, OnModuleDestroy {
  private readonly updates: KeyedQueue;
  private readonly aggregations: KeyedQueue;
  private readonly ending = new AbortController();
  private readonly unsettled = new Set<string>();
  private readonly credits: PendingTeamCredits;
  private readonly organisations: Sweep;
  private readonly listeners: ((orgId: string) => void)[] = [];
  private readonly sweeps: Repeating;

  constructor(
    @Inject(Pool) pool: Pool,
    @Inject(RedisLeaderboard) private readonly board: RedisLeaderboard,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    const { background } = sweeps;
    this.organisations = sweeps.of('scoring.pending-team-credits');
    this.credits = new PendingTeamCredits(pool);
    const onFailure = (error: unknown, orgId: string) => this.wait(error, orgId);
    this.updates = new KeyedQueue({
      background,
      name: 'scoring.leaderboard-updates',
      run: (orgId) => this.attempt(orgId, () => this.update(orgId)),
      onFailure,
    });
    this.aggregations = new KeyedQueue({
      background,
      name: 'scoring.team-sums',
      run: (orgId) => this.aggregate(orgId),
      onFailure,
    });
    this.sweeps = new Repeating({
      background,
      name: 'scoring.pending-team-credits',
      everyMilliseconds: sweepMilliseconds,
      work: () => this.sweep(),
    });
  }

  /** Finds what a killed process left behind. */
  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
    await this.updates.end();
    this.ending.abort();
    await this.aggregations.end();
    for (const orgId of this.credits.waiting) await this.credits.aggregate(orgId).catch(() => undefined);
  }

  onSettled(listener: (orgId: string) => void): void {
    this.listeners.push(listener);
  }

  afterCredit({ isEntered }: LogNews, { meta: { orgId } }: PersonUnit, batch: BatchContext): void {
    // Without an entry sums stay; open pages read again what stands beside them.
    batch.afterCommit(() => (isEntered ? this.settle(orgId) : this.live.publish(orgId, ['stats'])));
  }

  async afterClosed(orgId: string, batch: BatchContext): Promise<void> {
    const { rows } = await batch.tx.query<{ weekStartsOn: string }>(
      'select distinct week_starts_on from member_weeks where org_id = $1',
      [orgId],
    );
    batch.afterCommit(() => this.board.drop(orgId, [null, ...rows.map(({ weekStartsOn }) => weekStartsOn)]));
  }

  settle(orgId: string): void {
    this.updates.enqueue(orgId);
  }

  private async update(orgId: string): Promise<boolean> {
    const look = await this.credits.look(orgId);
    const { credits, isCut } = look;
    if (credits.length === 0) return false;
    const isMissed = await this.misses(orgId, credits);
    this.credits.noteRaised(orgId, look, isMissed);
    this.live.publish(orgId, ['stats', 'board'], {
      teams: { teamIds: teamsOf(credits), kinds: ['challenges'] },
      persons: { userIds: credits.map(({ userId }) => userId), kinds: ['challenges'] },
    });
    // Boards that are stale must say so at once, and what was looked at in part is not looked past.
    if (isMissed || isCut) await this.credits.aggregate(orgId);
    else this.aggregations.enqueue(orgId);
    for (const listener of this.listeners) listener(orgId);
    return isCut;
  }

  private async aggregate(orgId: string): Promise<boolean> {
    await this.attempt(orgId, async () => {
      await this.credits.aggregate(orgId);
      return false;
    });
    await pause(aggregateMilliseconds, undefined, { signal: this.ending.signal }).catch(() => undefined);
    return false;
  }

  private async attempt(orgId: string, work: () => Promise<boolean>): Promise<boolean> {
    let goesOn = false;
    this.unsettled.add(orgId);
    await this.organisations.attempt(orgId, async () => {
      goesOn = await work();
      this.unsettled.delete(orgId);
    });
    return goesOn;
  }

  private wait(error: unknown, orgId: string): void {
    this.organisations.log.warn({ err: error, orgId }, 'credits wait for their teams and boards');
  }

  /** Missed totals make boards of an older generation. */
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
      for (const orgId of this.credits.waiting) this.aggregations.enqueue(orgId);
      for (const orgId of new Set([...(await this.credits.sweep()), ...this.unsettled])) this.settle(orgId);
    });
  }
}
