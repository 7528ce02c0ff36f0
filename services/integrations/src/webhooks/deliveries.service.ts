import { AsyncLocalStorage } from 'node:async_hooks';
import { BatchCoalescer } from '@caravan/event-store/postgres/batch-coalescer';
import { Rejected } from '@caravan/kernel/rejected';
import { type Limit, LimitReached, Limits, type Taken } from '@caravan/service-kit/storage/limits';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { isAway } from '@caravan/kernel/problem';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { AccountName } from '../ports.ts';
import type { Notice, Provider } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { ownersOf, receive, type Received } from './inbox.system.store.ts';
import { mostPerHour, overflowOf, waitSeconds } from './notice.ts';
import { NoticeJobs } from './notices.job.ts';

type Delivery = {
  readonly provider: Provider;
  readonly notices: readonly Notice[];
  /** Runs in the context of the request that brought it. */
  readonly inContext: <Result>(run: () => Result) => Result;
};

type Counted = { readonly received: Received; readonly taken?: Taken };

const mostTogether = 100;
const perAccount: Limit = { name: 'integrations:notices', points: mostPerHour, seconds: 3_600 };

/**
 * Keeps what platforms tell, before they are answered; what they tell of is asked for later. What arrives while others are
 * kept shares statements with what comes next: platforms tell of a morning at once, and give up after two seconds.
 */
@Injectable()
export class Deliveries {
  private readonly limits: Limits;
  private readonly together = new BatchCoalescer<Delivery, void>({
    apply: (deliveries) => this.keepTogether(deliveries),
    take: (waiting) => waiting.filter(({ provider }) => provider === waiting[0]?.provider).slice(0, mostTogether),
  });
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
  take(provider: Provider, notices: readonly Notice[]): Promise<void> {
    return this.together.add({ provider, notices, inContext: AsyncLocalStorage.snapshot() });
  }

  /** One that cannot be kept holds no other back. */
  private async keepTogether(deliveries: readonly Delivery[]): Promise<PromiseSettledResult<void>[]> {
    const last = deliveries.at(-1);
    if (!last) return [];
    const notices = deliveries.flatMap((delivery) => delivery.notices);
    try {
      // Who came last has most time left.
      await last.inContext(() => this.keep(last.provider, notices));
      return deliveries.map(() => ({ status: 'fulfilled', value: undefined }));
    } catch (reason) {
      const isOfAll = isAway(reason) || (reason instanceof Rejected && reason.kind === 'unavailable');
      if (deliveries.length === 1 || isOfAll) return deliveries.map(() => ({ status: 'rejected', reason }));
      const alone = await Promise.all(deliveries.map((delivery) => this.keepTogether([delivery])));
      return alone.flat();
    }
  }

  private async keep(provider: Provider, notices: readonly Notice[]): Promise<void> {
    const owners = await ownersOf(
      this.rows,
      provider.name,
      notices.map(({ providerUserId }) => providerUserId),
    );
    const ownersOfUser = Map.groupBy(owners, ({ providerUserId }) => providerUserId);
    const strange = notices.filter(({ providerUserId }) => !ownersOfUser.has(providerUserId));
    this.count(provider, 'unknown', strange.length);
    const counted = await Promise.all(
      notices.flatMap((notice) =>
        (ownersOfUser.get(notice.providerUserId) ?? []).map(({ orgId, userId }) =>
          this.within({ orgId, userId, provider: provider.name }, notice),
        ),
      ),
    );
    const received = counted.map((one) => one.received);
    const fresh = await receive(this.rows, received).catch(async (error: unknown) => {
      // The platform delivers what was not stored once more.
      await Promise.all(counted.flatMap(({ taken }) => taken?.giveBack() ?? []));
      throw error;
    });
    this.count(provider, 'kept', fresh);
    this.count(provider, 'doubled', received.length - fresh);
    const accounts = new Map(received.map(({ account }) => [`${account.orgId} ${account.userId}`, account]));
    await Promise.all([...accounts.values()].map((account) => this.jobs.enqueue(account)));
  }

  countRefusal(provider: Provider): void {
    this.count(provider, 'refused', 1);
  }

  private async within(account: AccountName, notice: Notice): Promise<Counted> {
    const now = new Date();
    try {
      const taken = await this.limits.take([{ of: perAccount, by: `${account.provider}:${account.userId}` }]);
      return { taken, received: { account, notice, dueAt: new Date(now.getTime() + waitSeconds * 1_000) } };
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      return { received: { account, ...overflowOf(notice.providerUserId, now) } };
    }
  }

  private count({ name }: Provider, outcome: string, count: number): void {
    if (count > 0) this.counted.inc({ provider: name, outcome }, count);
  }
}
