import type { LogPositions } from '@caravan/contracts/log-position';
import { LRUCache } from 'lru-cache';
import { MinPositions, shownMilliseconds } from './min-position.ts';

export type PositionCache = {
  read(userId: string): Promise<LogPositions | undefined>;
  /** To all gateways that listen now, as one message. */
  tell(positions: ReadonlyMap<string, LogPositions>): void;
  /** False while it is sure that no other gateway listens. */
  hasOthers(): boolean;
  /** Undefined while what is told may be missed. */
  hearsSince(): number | undefined;
};

/** What another gateway keeps for those that come later may be a second late. */
const askedMilliseconds = 5_000;
const rememberedAsks = 20_000;

/**
 * Gateways are told at once, and only where there are others; for those that come later it is kept together. Asks the
 * cache for unknown members until the channel has been heard for as long as anything is remembered.
 */
export class SharedPositions {
  private readonly local: MinPositions;
  private readonly cache: PositionCache;
  private readonly now: () => number;
  private readonly untold = new Map<string, LogPositions>();
  private readonly unkept = new Map<string, LogPositions>();
  private readonly asked = new LRUCache<string, { readonly until: number; readonly hearsSince: number }>({
    max: rememberedAsks,
  });

  constructor(cache: PositionCache, now: () => number) {
    this.cache = cache;
    this.now = now;
    this.local = new MinPositions(now);
  }

  async of(userId: string): Promise<LogPositions | undefined> {
    const known = this.local.of(userId);
    if (known || this.hearsAll() || this.hasAsked(userId)) return known;
    const hearsSince = this.cache.hearsSince();
    try {
      const shared = await this.cache.read(userId);
      if (shared) this.local.remember(userId, shared);
      else if (hearsSince !== undefined) this.asked.set(userId, { until: this.now() + askedMilliseconds, hearsSince });
      return shared;
    } catch {
      return undefined;
    }
  }

  remember(userId: string, written: LogPositions): void {
    if (!this.local.remember(userId, written)) return;
    const all = this.local.of(userId) ?? written;
    this.unkept.set(userId, all);
    if (!this.cache.hasOthers()) return;
    if (this.untold.size === 0) setImmediate(() => this.tell());
    this.untold.set(userId, all);
  }

  hear(userId: string, positions: LogPositions): void {
    this.local.remember(userId, positions);
  }

  /** What is to be kept for gateways that come later. */
  takeUnkept(): ReadonlyMap<string, LogPositions> {
    const unkept = new Map(this.unkept);
    this.unkept.clear();
    return unkept;
  }

  /** Of all that was written in a turn. */
  private tell(): void {
    const told = new Map(this.untold);
    this.untold.clear();
    this.cache.tell(told);
  }

  private hasAsked(userId: string): boolean {
    const asked = this.asked.get(userId);
    return asked !== undefined && asked.until > this.now() && asked.hearsSince === this.cache.hearsSince();
  }

  private hearsAll(): boolean {
    const since = this.cache.hearsSince();
    return since !== undefined && this.now() - since >= shownMilliseconds;
  }
}
