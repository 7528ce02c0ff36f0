import type { Committed } from '@caravan/event-store/event-store';

type Listener = (committed: Committed) => void;

/** Tells parts of the process (the relay, waiters for positions) what this service's store has just committed. */
export class Commits {
  private readonly listeners = new Set<Listener>();

  /** Returns what ends the subscription. Listeners must be quick and must not throw. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(committed: Committed): void {
    for (const listener of this.listeners) listener(committed);
  }
}
