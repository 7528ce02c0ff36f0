import type { Envelope, PublicEventContract } from '@caravan/contracts/envelope';
import type { ServiceName } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { z } from 'zod';

/** A public event as a consumer receives it: parsed, typed, with its envelope. */
export type Consumed<Contract extends PublicEventContract> = Omit<Envelope, 'data'> & { readonly data: z.infer<Contract['data']> };

/** What a consumer may use while it handles one message; everything in `tx` commits with the batch's offsets. */
export type BatchContext = {
  readonly tx: Tx;
  readonly group: string;
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
};
