import type { LiveAnnouncement, LiveMessage } from '@caravan/contracts/http/live';

/** Sends what changed in one organisation to a page that is open. */
type Listener = (message: LiveMessage) => void;
/** Whose page is open. */
export type Reader = { readonly orgId: string; readonly userId: string };

/** Subscribes this gateway to an organisation's channel. */
export type LiveChannel = {
  subscribe(orgId: string): void;
  unsubscribe(orgId: string): void;
};

/** The open pages of this gateway by organisation; one subscription per organisation, however many pages. */
export class LiveHub {
  private readonly listeners = new Map<string, Map<Listener, string>>();
  private readonly endings = new Map<string, Set<() => void>>();
  private readonly channel: LiveChannel;

  constructor(channel: LiveChannel) {
    this.channel = channel;
  }

  /** Answers the function that ends it. */
  listen({ orgId, userId }: Reader, listener: Listener): () => void {
    const known = this.listeners.get(orgId);
    const listeners = known ?? new Map<Listener, string>();
    listeners.set(listener, userId);
    this.listeners.set(orgId, listeners);
    if (!known) this.channel.subscribe(orgId);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.listeners.get(orgId) !== listeners) return;
      this.listeners.delete(orgId);
      this.channel.unsubscribe(orgId);
    };
  }

  /** To every open page of the organisation what concerns everybody, and to each what concerns its own reader. */
  deliver(orgId: string, { kinds, persons = {}, teams }: LiveAnnouncement): void {
    for (const [listener, userId] of this.listeners.get(orgId) ?? []) {
      const all = [...new Set([...kinds, ...(persons[userId] ?? [])])];
      // Which team its reader is in, the page knows.
      if (all.length > 0 || teams) listener({ kinds: all, ...(teams && { teams }) });
    }
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
}
