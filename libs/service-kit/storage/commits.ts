import type { Committed } from '@caravan/event-store/core/event-store';

type Listener = (committed: Committed) => void;

export class Commits {
  private readonly listeners = new Set<Listener>();

  /** Listeners must be quick and must not throw. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(committed: Committed): void {
    for (const listener of this.listeners) listener(committed);
  }
}
