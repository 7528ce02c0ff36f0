import { type Limit, LimitReached, type Limits } from '@caravan/service-kit/limits';
import { LRUCache } from 'lru-cache';

/** Points that this process may spend without asking; or why there are none, until when. */
type Lease = { left: number; readonly until: number; readonly refusal?: LimitReached };

const rememberedKeys = 20_000;
const blocks = 20;

/**
 * Spends the points of a limit that every request takes one of: in blocks of a twentieth, so that Redis is asked once for
 * many requests. All processes together never spend more; what one of them has not spent of its block is lost to the others.
 */
export class Leases {
  private readonly held = new LRUCache<string, Promise<Lease>>({ max: rememberedKeys });
  private readonly block: number;

  constructor(
    private readonly limits: Limits,
    private readonly limit: Limit,
  ) {
    this.block = Math.max(1, Math.floor(limit.points / blocks));
  }

  /** Throws `LimitReached`. */
  async spend(key: string): Promise<void> {
    for (;;) {
      const asked = this.held.get(key);
      const lease = asked && (await asked);
      if (lease && lease.until > performance.now()) {
        if (lease.refusal) throw new LimitReached(this.limit.name, lease.until - performance.now());
        if (lease.left > 0) return void (lease.left -= 1);
      }
      // Whoever comes first asks; the others wait for the same answer.
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
