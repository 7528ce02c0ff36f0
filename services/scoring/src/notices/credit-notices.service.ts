import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { publishTogether } from '@caravan/event-store/core/publish-together';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { OrganisationWeek } from '../directory/index.ts';
import { lostRanks } from './lost-ranks.query.ts';
import { type Credit, storeUnfinished, takePendingCredits } from './pending-credits.store.ts';
import { type Changes, reachedAndUnreached } from './reached-challenges.store.ts';
import { type Pending, pendingAfter, rowsPerSweep } from './notices.system.store.ts';
import { recordReminders } from './reminders.store.ts';

const sweepMilliseconds = 1_000;
const wholeSweepMilliseconds = 30_000;
const creditsAtATime = 250;
const settledMilliseconds = 10 * 60_000;
/** Of the weeks before the running one: so long a bonus can be claimed. */
const claimableDays = 7;

/** Tells what credits have changed for somebody, once they are in the teams' sums. Rows go with what they led to. */
@Injectable()
export class CreditNotices implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeps: Repeating;
  private readonly organisations: Sweep;
  /** Looked at up to here, as far as one could see then; what became visible later a whole sweep finds. */
  private seen = { before: 0, last: 0 };
  private wholeAt = 0;
  private readonly settled = new LRUCache<string, true>({ max: 20_000, ttl: settledMilliseconds });

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    const { background } = sweeps;
    this.organisations = sweeps.of('scoring.pending-credit-notices');
    this.sweeps = new Repeating({
      background,
      name: 'scoring.pending-credit-notices',
      everyMilliseconds: sweepMilliseconds,
      work: () => this.sweep(new Date()),
    });
  }

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  private sweep(at: Date): Promise<void> {
    return this.organisations.look(async () => {
      const isWhole = at.getTime() - this.wholeAt >= wholeSweepMilliseconds;
      const rows = await pendingAfter(this.pool, isWhole ? 0 : this.seen.before);
      this.seen = { before: this.seen.last, last: rows.at(-1)?.id ?? this.seen.last };
      if (isWhole && rows.length < rowsPerSweep) this.wholeAt = at.getTime();
      await this.organisations.each(
        [...Map.groupBy(rows, ({ orgId }) => orgId)],
        ([orgId]) => orgId,
        ([orgId, own]) => this.tellOf(orgId, own, at),
      );
    });
  }

  private async tellOf(orgId: string, rows: readonly Pending[], at: Date): Promise<void> {
    const runningWeek = await this.week.startOf(orgId, at);
    for (const some of portionsOf(rows)) {
      const { settled } = this;
      const when = { orgId, at, runningWeek, settled };
      const changes = await withTenant(this.pool, orgId, (tx) => tellOfCredits(tx, when, some));
      for (const change of changes) {
        for (const key of change.settled) settled.set(key, true);
        for (const key of change.unsettled) settled.delete(key);
      }
    }
  }
}

/** Ids of rows, so many as have the credits that are told at a time. */
function portionsOf(rows: readonly Pending[]): number[][] {
  const portions: { ids: number[]; credits: number }[] = [];
  for (const { id, credits } of rows) {
    const last = portions.at(-1);
    if (last && last.credits + credits <= creditsAtATime) {
      last.ids.push(id);
      last.credits += credits;
    } else portions.push({ ids: [id], credits });
  }
  return portions.map(({ ids }) => ids);
}

type When = {
  readonly orgId: string;
  readonly at: Date;
  readonly runningWeek: string;
  readonly settled: { has(key: string): boolean };
};

async function tellOfCredits(tx: Tx, when: When, ids: readonly number[]): Promise<Changes[]> {
  const { orgId, runningWeek, settled } = when;
  const taken = await takePendingCredits(tx, { orgId, runningWeek }, ids);
  const credits = taken.filter(({ weekStartsOn }) => weekStartsOn >= addDays(runningWeek, -claimableDays));
  const all: Changes[] = [];
  for (const [startsOn, own] of Map.groupBy(credits, ({ weekStartsOn }) => weekStartsOn)) {
    const movers = [...new Map(own.map((one) => [`${one.userId} ${one.teamId}`, one])).values()];
    const changes = await reachedAndUnreached(tx, when, { startsOn, movers, settled });
    all.push(changes);
    if (changes.unfinished.length > 0)
      await storeUnfinished(tx, { orgId, startsOn, userId: movers[0]?.userId, teamIds: changes.unfinished });
  }
  const lost = await recordReminders(tx, when, await lostRanks(tx, when, gainsOf(credits)));
  await publishTogether(tx, [...all.flatMap(({ facts }) => facts), ...lost]);
  return all;
}

function gainsOf(credits: readonly Credit[]): ReadonlyMap<string, number> {
  const gains = new Map<string, number>();
  for (const { userId, centimiles } of credits) gains.set(userId, (gains.get(userId) ?? 0) + centimiles);
  return gains;
}
