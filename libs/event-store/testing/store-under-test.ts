import type { CommandMeta, Committed, EventStore, Tx } from '../core/event-store.ts';
import type { OutgoingEvent } from '../core/public-events.ts';

export type Published = OutgoingEvent &
  Omit<CommandMeta, 'at' | 'key'> & { readonly position: number; readonly key: string; readonly occurredAt: Date };

/** A store together with what it left behind, for the suite to look at. */
export type StoreUnderTest = {
  readonly store: EventStore;
  readonly committed: readonly Committed[];
  /** Messages on their way out, by position. */
  publishedEvents(orgId: string): Promise<readonly Published[]>;
  logText(): Promise<string>;
  coins(orgId: string, jarId: string): Promise<number | undefined>;
  open<Result>(orgId: string, work: (tx: Tx) => Promise<Result>): Promise<Result>;
};
