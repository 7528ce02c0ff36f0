import { fitnessProviders, fitnessWords } from '@caravan/contracts/http/fitness';
import { Rejected } from '@caravan/kernel/rejected';
import { type Limit, LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../importing/index.ts';
import { type Outcome, Syncing } from './syncing.service.ts';
import { Syncs } from './syncs.job.ts';

/** What is left then is fetched by a job. */
const patienceMilliseconds = 20_000;
const usualRetrySeconds = 60;
const perMember: Limit = { name: 'integrations:asked-syncs', points: 12, seconds: 600 };

/** Fetches while somebody waits for it. */
@Injectable()
export class AskedSyncs {
  private readonly limits: Limits;

  constructor(
    @Inject(Syncing) private readonly syncing: Syncing,
    @Inject(Syncs) private readonly syncs: Syncs,
    @Inject(Redis) redis: Redis,
  ) {
    this.limits = new Limits(redis);
  }

  /** How many workouts came. Throws `Rejected` when nothing is connected, or no platform answers. */
  sync(owner: Owner): Promise<number> {
    return this.charge(owner, () => this.syncAll(owner));
  }

  private async syncAll(owner: Owner): Promise<number> {
    const until = performance.now() + patienceMilliseconds;
    const outcomes = await Promise.all(fitnessProviders.map((provider) => this.syncOne({ ...owner, provider }, until)));
    const ended = outcomes.flatMap((outcome) => outcome ?? []);
    const failures = ended.flatMap(({ failure }) => failure ?? []);
    if (failures.length === ended.length) refuse(failures);
    return ended.reduce((sum, { imported }) => sum + imported, 0);
  }

  private async syncOne(account: Parameters<Syncing['begin']>[0], until: number): Promise<Outcome | undefined> {
    const run = await this.syncing.begin(account, 'asked');
    if (!run) return undefined;
    const outcome = await this.syncing.carryOn(run, until);
    if (outcome?.failure === null && performance.now() > until) await this.syncs.enqueueOrKeep(run);
    return outcome;
  }

  private async charge({ userId }: Owner, work: () => Promise<number>): Promise<number> {
    try {
      return await this.limits.charge([{ of: perMember, by: userId }], work);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      const { retryAfterSeconds } = error;
      const message = 'That was asked often enough. Please try again later.';
      throw new Rejected('fitness/too-many-syncs', 'too-many', message, { retryAfterSeconds });
    }
  }
}

function refuse(failures: readonly NonNullable<Outcome['failure']>[]): never {
  const passing = failures.filter(({ why }) => why !== 'reconnect');
  if (passing.length === 0) throw new Rejected('fitness/nothing-connected', 'conflict', fitnessWords.nothingConnected);
  const told = passing.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  throw new Rejected('fitness/platform-away', 'unavailable', 'The platform does not answer. Please try again later.', {
    retryAfterSeconds: told.length > 0 ? Math.min(...told) : usualRetrySeconds,
  });
}
