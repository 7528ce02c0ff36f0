import { type Limit, LimitReached, type Limits } from '@caravan/service-kit/storage/limits';
import { LRUCache } from 'lru-cache';

type Lease = { left: number; readonly until: number; readonly refusal?: LimitReached };

const usuallyRemembered = 20_000;
const blocks = 20;

export type LeasesOptions = {
  /** Points taken at a time; a twentieth of the smallest limit unless said otherwise. */
  readonly block?: number;
  readonly rememberedKeys?: number;
};

/** Takes points of a limit, or of several at once, in blocks: Redis is asked once for many requests. */
export class Leases {
  private readonly held: LRUCache<string, Promise<Lease>>;
  private readonly all: readonly Limit[];
  private readonly block: number;

  constructor(
    private readonly limits: Limits,
    limit: Limit | readonly Limit[],
    { block, rememberedKeys = usuallyRemembered }: LeasesOptions = {},
  ) {
    this.all = [limit].flat();
    // A block larger than a limit could never be taken.
    const smallest = Math.min(...this.all.map(({ points }) => points));
    this.block = Math.min(block ?? Math.max(1, Math.floor(smallest / blocks)), smallest);
    this.held = new LRUCache({ max: rememberedKeys });
  }

  /** Throws `LimitReached`. */
  async spend(key: string): Promise<void> {
    for (;;) {
      const asked = this.held.get(key);
      const lease = asked && (await asked);
      if (lease && lease.until > performance.now()) {
        if (lease.refusal) throw new LimitReached(lease.refusal.limit, lease.until - performance.now());
        if (lease.left > 0) return void (lease.left -= 1);
      }
      if (this.held.get(key) === asked) this.held.set(key, this.take(key));
    }
  }

  private async take(key: string): Promise<Lease> {
    try {
      const counts = this.all.map((of) => ({ of, by: key }));
      const { milliseconds } = await this.limits.take(counts, this.block);
      return { left: this.block, until: performance.now() + milliseconds };
    } catch (error) {
      if (!(error instanceof LimitReached)) {
        this.held.delete(key);
        throw error;
      }
      return { left: 0, until: performance.now() + error.retryAfterSeconds * 1_000, refusal: error };
    }
  }
}
