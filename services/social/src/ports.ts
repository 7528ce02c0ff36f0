import type { companySetUp } from '@caravan/contracts/events/identity.events';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer/consumer';

// Rooms below tell those above: each symbol injects all who listen, in the order of app.module.ts.

/** In the transaction of the fact, once the organisation's row says what was set up; in the organisation's order. */
export const AfterSetUp = Symbol('AfterSetUp');
export type AfterSetUp = {
  afterSetUp(setUp: Consumed<typeof companySetUp>, batch: BatchContext): Promise<void>;
};

/** In the transaction of the fact: what others may see has changed, or who is to be told of anything. Each hears what it asks for. */
export const AfterVisibility = Symbol('AfterVisibility');
export type AfterVisibility = {
  /** A post was corrected or taken down. */
  entryChanged?(entry: { readonly orgId: string; readonly entryId: string }, batch: BatchContext): void;
  /** They are known from now on; some of what they did may have been heard before. */
  memberJoined?(whose: { readonly orgId: string; readonly userId: string }, batch: BatchContext): void;
  /** What a member lets others see, or who they are. */
  memberChanged?(whose: { readonly orgId: string; readonly userId: string }, batch: BatchContext): Promise<void> | void;
  /** Their name or their picture, which stand beside what they wrote. */
  memberRenamed?(whose: { readonly orgId: string; readonly userId: string }, batch: BatchContext): Promise<void>;
  /** Up to then nothing is left to tell them; null: nobody of the organisation. */
  memberLeft?(
    gone: { readonly orgId: string; readonly userId: string | null; readonly at: string },
    batch: BatchContext,
  ): Promise<void>;
};
