import type { LogPositions } from '@caravan/contracts/log-position';
import { MinPositions, shownMilliseconds } from './min-position.ts';

/** How gateways tell each other what members wrote and were shown: a key per member for those that start, a channel for those that run. */
export type PositionCache = {
  read(userId: string): Promise<LogPositions | undefined>;
  announce(userId: string, positions: LogPositions, forMilliseconds: number): void;
  /** Since when no announcement can have been missed; undefined while the channel is down. */
  hearsSince(): number | undefined;
};

/**
 * Positions that hold across gateways. The own memory answers as soon as the channel has been heard for as long as
 * anything is remembered; before that (a new gateway, a broken channel) the cache is asked for members not known here.
 */
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

  /** Another gateway's announcement. */
  hear(userId: string, positions: LogPositions): void {
    this.local.remember(userId, positions);
  }

  private hearsAll(): boolean {
    const since = this.cache.hearsSince();
    return since !== undefined && this.now() - since >= shownMilliseconds;
  }
}
