import { type Limit, LimitReached, Limits } from '@caravan/service-kit/limits';
import { Metrics } from '@caravan/service-kit/metrics';
import { Redis } from '@caravan/service-kit/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { AccountName } from '../ports.ts';
import type { Notice, Provider } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import * as inbox from './inbox.store.ts';
import { mostPerHour, overflowOf, waitSeconds } from './notice.ts';
import { NoticeJobs } from './notices.job.ts';

const perAccount: Limit = { name: 'integrations:notices', points: mostPerHour, seconds: 3_600 };

/** Keeps what platforms tell, before they are answered; what they tell of is asked for later. */
@Injectable()
export class Deliveries {
  private readonly limits: Limits;
  private readonly counted: Counter<'provider' | 'outcome'>;

  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(NoticeJobs) private readonly jobs: NoticeJobs,
    @Inject(Redis) redis: Redis,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.limits = new Limits(redis);
    this.counted = metrics.counter('caravan_webhook_notices_total', 'What platforms told, by what became of it.', [
      'provider',
      'outcome',
    ]);
  }

  /** What is about nobody here is dropped, and not told to whoever asks. */
  async take(provider: Provider, notices: readonly Notice[]): Promise<void> {
    const owners = await inbox.ownersOf(
      this.rows,
      provider.name,
      notices.map(({ providerUserId }) => providerUserId),
    );
    const known = new Set(owners.map(({ providerUserId }) => providerUserId));
    const strange = notices.filter(({ providerUserId }) => !known.has(providerUserId));
    this.count(provider, 'unknown', strange.length);
    await Promise.all(
      owners.map(({ providerUserId, ...account }) =>
        this.keep(
          provider,
          account,
          notices.filter((notice) => notice.providerUserId === providerUserId),
        ),
      ),
    );
  }

  private async keep(provider: Provider, account: AccountName, notices: readonly Notice[]): Promise<void> {
    const received = await Promise.all(notices.map((notice) => this.within(account, notice)));
    const fresh = await inbox.receive(this.rows, account, received);
    this.count(provider, 'kept', fresh);
    this.count(provider, 'doubled', received.length - fresh);
    // Without Redis the sweep finds them.
    await this.jobs.enqueue(account).catch(() => undefined);
  }

  refused(provider: Provider): void {
    this.count(provider, 'refused', 1);
  }

  private async within(account: AccountName, notice: Notice): Promise<inbox.Received> {
    const now = new Date();
    try {
      await this.limits.take([{ of: perAccount, by: `${account.provider}:${account.userId}` }]);
      return { notice, dueAt: new Date(now.getTime() + waitSeconds * 1_000) };
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      return overflowOf(notice.providerUserId, now);
    }
  }

  private count({ name }: Provider, outcome: string, count: number): void {
    if (count > 0) this.counted.inc({ provider: name, outcome }, count);
  }
}
