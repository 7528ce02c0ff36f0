export type ConnectionLimits = { readonly total: number; readonly perNetwork: number };

type Waiter = { readonly network: string; readonly begin: () => void };

/**
 * Hands out the connections to the storage, in the order in which uploads ask for them. A network holds a part of them
 * at most, so uploads of one that stand still delay nobody else's.
 */
export class StorageConnections {
  private readonly held = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private total = 0;

  constructor(private readonly limits: ConnectionLimits) {}

  /** Rejects with the signal's reason when that is aborted before a connection is free. */
  async during<Result>(network: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(network, signal);
    try {
      return await work();
    } finally {
      this.release(network);
    }
  }

  private async acquire(network: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isFree(network)) return this.hold(network);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiter: Waiter = { network, begin: () => resolve(undefined) };
    const giveUp = (): void => {
      this.waiters.delete(waiter);
      reject(signal.reason as Error);
    };
    this.waiters.add(waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  private release(network: string): void {
    this.total -= 1;
    const held = this.held.get(network) ?? 0;
    if (held > 1) this.held.set(network, held - 1);
    else this.held.delete(network);
    for (const waiter of this.waiters) {
      if (!this.isFree(waiter.network)) continue;
      this.waiters.delete(waiter);
      this.hold(waiter.network);
      waiter.begin();
      return;
    }
  }

  private isFree(network: string): boolean {
    return this.total < this.limits.total && (this.held.get(network) ?? 0) < this.limits.perNetwork;
  }

  private hold(network: string): void {
    this.total += 1;
    this.held.set(network, (this.held.get(network) ?? 0) + 1);
  }
}
