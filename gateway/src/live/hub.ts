import type { LiveMessage } from '@caravan/contracts/http/live';

/** Sends what changed in one organisation to a page that is open. */
type Listener = (message: LiveMessage) => void;

/** Subscribes this gateway to an organisation's channel. */
export type LiveChannel = {
  subscribe(orgId: string): void;
  unsubscribe(orgId: string): void;
};

/** The open pages of this gateway by organisation; one subscription per organisation, however many pages. */
export class LiveHub {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly endings = new Map<string, Set<() => void>>();
  private readonly channel: LiveChannel;

  constructor(channel: LiveChannel) {
    this.channel = channel;
  }

  /** Answers the function that ends it. */
  listen(orgId: string, listener: Listener): () => void {
    const known = this.listeners.get(orgId);
    const listeners = known ?? new Set<Listener>();
    listeners.add(listener);
    this.listeners.set(orgId, listeners);
    if (!known) this.channel.subscribe(orgId);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.listeners.get(orgId) !== listeners) return;
      this.listeners.delete(orgId);
      this.channel.unsubscribe(orgId);
    };
  }

  deliver(orgId: string, message: LiveMessage): void {
    for (const listener of this.listeners.get(orgId) ?? []) listener(message);
  }

  /** Calls back once when a session ends, so that its open page is closed; answers the function that stops waiting. */
  listenForEnd(sessionId: string, ended: () => void): () => void {
    this.endings.set(sessionId, (this.endings.get(sessionId) ?? new Set()).add(ended));
    return () => {
      const waiting = this.endings.get(sessionId);
      waiting?.delete(ended);
      if (waiting?.size === 0) this.endings.delete(sessionId);
    };
  }

  endSession(sessionId: string): void {
    for (const ended of this.endings.get(sessionId) ?? []) ended();
  }

  /** Closes every open page, so that a gateway that stops does not wait for them; they reconnect elsewhere. */
  closeAll(): void {
    for (const sessionId of this.endings.keys()) this.endSession(sessionId);
  }

  get openPages(): number {
    let pages = 0;
    for (const listeners of this.listeners.values()) pages += listeners.size;
    return pages;
  }
}
