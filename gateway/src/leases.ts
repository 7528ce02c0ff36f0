import { type Limit, LimitReached, type Limits } from '@caravan/service-kit/limits';
import { LRUCache } from 'lru-cache';

type Lease = { left: number; readonly until: number; readonly refusal?: LimitReached };

const rememberedKeys = 20_000;
const blocks = 20;

/** Takes a twentieth of a limit at a time: Redis is asked once for many requests, and the limit holds for all. */
export class Leases {
  private readonly held = new LRUCache<string, Promise<Lease>>({ max: rememberedKeys });
  private readonly block: number;

  constructor(
    private readonly limits: Limits,
    private readonly limit: Limit,
  ) {
    this.block = Math.max(1, Math.floor(limit.points / blocks));
  }

  async spend(key: string): Promise<void> {
    for (;;) {
      const asked = this.held.get(key);
      const lease = asked && (await asked);
      if (lease && lease.until > performance.now()) {
        if (lease.refusal) throw new LimitReached(this.limit.name, lease.until - performance.now());
        if (lease.left > 0) return void (lease.left -= 1);
      }
      if (this.held.get(key) === asked) this.held.set(key, this.take(key));
    }
  }

  private async take(key: string): Promise<Lease> {
    try {
      const { milliseconds } = await this.limits.take([{ of: this.limit, by: key }], this.block);
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
