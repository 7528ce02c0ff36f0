import type { LogPositions } from '@caravan/contracts/log-position';
import { MinPositions, shownMilliseconds } from './min-position.ts';

export type PositionCache = {
  read(userId: string): Promise<LogPositions | undefined>;
  announce(userId: string, positions: LogPositions, forMilliseconds: number): void;
  /** Undefined while announcements may be missed. */
  hearsSince(): number | undefined;
};

/** Asks the cache for unknown members until the channel has been heard for as long as anything is remembered. */
export class SharedPositions {
  private readonly local: MinPositions;
  private readonly cache: PositionCache;
  private readonly now: () => number;

  constructor(cache: PositionCache, now: () => number) {
    this.cache = cache;
    this.now = now;
    this.local = new MinPositions(now);
  }

  async of(userId: string): Promise<LogPositions | undefined> {
    const known = this.local.of(userId);
    if (known || this.hearsAll()) return known;
    const shared = await this.cache.read(userId).catch(() => undefined);
    if (shared) this.local.remember(userId, shared);
    return shared;
  }

  remember(userId: string, written: LogPositions): void {
    if (!this.local.remember(userId, written)) return;
    this.cache.announce(userId, this.local.of(userId) ?? written, shownMilliseconds);
  }

  hear(userId: string, positions: LogPositions): void {
    this.local.remember(userId, positions);
  }

  private hearsAll(): boolean {
    const since = this.cache.hearsSince();
    return since !== undefined && this.now() - since >= shownMilliseconds;
  }
}
