import type { LogPositions } from '@caravan/contracts/events/log-position';
import { LRUCache } from 'lru-cache';
import { MinPositions, shownMilliseconds } from './min-position.ts';

export type PositionCache = {
  read(userId: string): Promise<LogPositions | undefined>;
  /** Stores positions and publishes them to the gateways that listen now. Resolves when Redis has acknowledged both. */
  store(positions: ReadonlyMap<string, LogPositions>): Promise<void>;
  /** False while it is certain that no other gateway listens. */
  hasOthers(): boolean;
  /** Undefined while published positions may be missed. */
  hearsSince(): number | undefined;
  /** Resolves when everything published before the call was heard. Rejects when that cannot be told in time. */
  catchUp(): Promise<void>;
};

export type AwaitedPositions = {
  readonly positions: LogPositions | undefined;
  /** False while another gateway may have accepted a write that this one cannot learn of. */
  readonly isCertain: boolean;
};

/** A gateway that was alone stores positions once a second, so a newcomer may find them a second late. */
const askedMilliseconds = 5_000;
const rememberedAsks = 20_000;

/**
 * The positions of members' writes, across gateways. A gateway that is not alone stores a position before it answers the write,
 * and catches up with the others before it answers a read; so a read through any gateway sees the write (design/delivery.md).
 */
export class SharedPositions {
  private readonly local: MinPositions;
  private readonly cache: PositionCache;
  private readonly now: () => number;
  private readonly unstored = new Map<string, LogPositions>();
  private storing: Promise<void> | undefined;
  private readonly asked = new LRUCache<string, { readonly until: number; readonly hearsSince: number }>({
    max: rememberedAsks,
  });

  constructor(cache: PositionCache, now: () => number) {
    this.cache = cache;
    this.now = now;
    this.local = new MinPositions(now);
  }

  async of(userId: string): Promise<AwaitedPositions> {
    if (!this.cache.hasOthers()) {
      const known = this.local.of(userId);
      if (known) return { positions: known, isCertain: true };
    } else await this.cache.catchUp().catch(() => undefined);
    if (this.hearsAll() || this.hasAsked(userId)) return { positions: this.local.of(userId), isCertain: true };
    return this.ask(userId);
  }

  /** Resolves when other gateways can know of it, at the latest when Redis is given up; undefined where none need to. */
  remember(userId: string, written: LogPositions): Promise<void> | undefined {
    if (!this.local.remember(userId, written)) return undefined;
    this.unstored.set(userId, this.local.of(userId) ?? written);
    if (!this.cache.hasOthers()) return undefined;
    // The writes of one turn of the event loop share one command.
    this.storing ??= new Promise((resolve) => {
      setImmediate(() => {
        this.storing = undefined;
        resolve(this.store());
      });
    });
    return this.storing;
  }

  hear(userId: string, positions: LogPositions): void {
    this.local.remember(userId, positions);
  }

  /** Stores what is not stored yet. What Redis does not take waits for the next call. */
  async store(): Promise<void> {
    if (this.unstored.size === 0) return;
    const taken = new Map(this.unstored);
    this.unstored.clear();
    try {
      await this.cache.store(taken);
    } catch {
      for (const [userId, positions] of taken) if (!this.unstored.has(userId)) this.unstored.set(userId, positions);
    }
  }

  private async ask(userId: string): Promise<AwaitedPositions> {
    const hearsSince = this.cache.hearsSince();
    try {
      const stored = await this.cache.read(userId);
      if (stored) this.local.remember(userId, stored);
      if (hearsSince !== undefined) this.asked.set(userId, { until: this.now() + askedMilliseconds, hearsSince });
      return { positions: this.local.of(userId), isCertain: true };
    } catch {
      return { positions: this.local.of(userId), isCertain: false };
    }
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
