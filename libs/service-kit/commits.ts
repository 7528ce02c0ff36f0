/** Tells parts of the process (the relay, live pages) that this service's store committed something. */
export class Commits {
  private readonly listeners = new Set<() => void>();

  /** Returns what ends the subscription. Listeners must be quick and must not throw. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(): void {
    for (const listener of this.listeners) listener();
  }
}
