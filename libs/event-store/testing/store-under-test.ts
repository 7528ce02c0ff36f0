import type { Committed, EventStore, Tx } from '../event-store.ts';
import type { Published } from '../in-memory-unit.ts';

/** A store together with what it left behind, for the suite to look at. */
export type StoreUnderTest = {
  readonly store: EventStore;
  /** All that was announced so far. */
  readonly committed: readonly Committed[];
  /** Messages on their way out, by position. */
  published(orgId: string): Promise<readonly Published[]>;
  /** Everything in the log, as text. */
  logText(): Promise<string>;
  /** What the read model shows. */
  coins(orgId: string, jarId: string): Promise<number | undefined>;
  /** A transaction that is not the store's own. */
  open<Result>(orgId: string, work: (tx: Tx) => Promise<Result>): Promise<Result>;
};
