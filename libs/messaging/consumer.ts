import type { Envelope, PublicEventContract } from '@caravan/contracts/envelope';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { z } from 'zod';

/** A public event as a consumer receives it: parsed, typed, with its envelope. */
export type Consumed<Contract extends PublicEventContract = PublicEventContract> = Omit<Envelope, 'data'> & {
  readonly data: z.infer<Contract['data']>;
};

/** Writes the rows that a batch enqueued, in the order in which they came; best one statement for all. */
export type WriteRows<Row> = (tx: Tx, rows: readonly Row[]) => Promise<unknown>;

/** What a consumer may use while it handles one message; everything in `tx` commits with the batch's offsets. */
export type BatchContext = {
  readonly tx: Tx;
  readonly group: string;
  /**
   * Leaves a row to be written with all others of the batch, by one call of `write` (the same function for all of them)
   * before the batch commits. Later messages of the batch do not see it yet in `tx`.
   */
  enqueueWrite<Row>(write: WriteRows<Row>, row: Row): void;
  /** Runs once the batch is committed; failures are logged and never undo the batch. */
  afterCommit(effect: () => Promise<void> | void): void;
};

/** Which messages a handler takes. The group is its identity: it owns offsets, applied positions and parked keys. */
export type Subscription<Contract extends PublicEventContract = PublicEventContract> = {
  readonly group: string;
  readonly from: ServiceName;
  readonly contract: Contract;
  /** Takes the advisory locks of all keys of a batch, sorted, before the first handler runs; for consumers that append. */
  readonly locksKeys?: boolean;
  /**
   * Services whose facts reach this group only through the facts they cause, so that a reader who waits for one of them
   * waits for this group: totals fed by scoring reflect activity.
   */
  readonly reflects?: readonly ServiceName[];
};
