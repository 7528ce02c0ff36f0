import type { BatchOutcome, PartitionBatch } from './apply-batch.ts';
import { classifyError } from './failure.ts';

export type BatchCoalescerOptions = {
  /** Applies batches of different partitions in one transaction. */
  readonly apply: (partitionBatches: readonly PartitionBatch[]) => Promise<BatchOutcome>;
  /** What follows a commit; never throws. */
  readonly settle: (outcome: BatchOutcome) => Promise<void>;
  /** Messages of one transaction at most, unless one batch alone has more. */
  readonly maxMessages: number;
};

type Waiting = {
  readonly partitionBatch: PartitionBatch;
  readonly resolve: (nextOffset: number) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Group commit: lets batches that arrive of several partitions at once share one transaction, since most of what a short
 * transaction costs does not depend on its messages. While one is under way the next one collects, so under load they
 * grow by themselves, and a lone message waits for nobody. When a shared transaction fails, each batch is tried alone and
 * fails alone. When what failed will pass (PostgreSQL is away), all of them fail at once: trying one after the other would
 * only spend the time in which the group must be told that its members live.
 */
export class BatchCoalescer {
  private readonly options: BatchCoalescerOptions;
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(options: BatchCoalescerOptions) {
    this.options = options;
  }

  /** Offset at which the batch's partition goes on once it is applied. Throws what applying it alone threw. */
  apply(partitionBatch: PartitionBatch): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ partitionBatch, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      // What the client fetched together comes in one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      await this.applyTogether(this.next());
    }
    this.isRunning = false;
  }

  private next(): readonly Waiting[] {
    let messages = 0;
    const end = this.waiting.findIndex(({ partitionBatch }, nth) => {
      messages += partitionBatch.messages.length;
      return nth > 0 && messages > this.options.maxMessages;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  /** Answers what failed, where that was told to all of them. */
  private async applyTogether(members: readonly Waiting[]): Promise<unknown> {
    try {
      const outcome = await this.options.apply(members.map(({ partitionBatch }) => partitionBatch));
      await this.options.settle(outcome);
      members.forEach(({ partitionBatch, resolve }, nth) =>
        resolve(outcome.nextOffsets[nth] ?? partitionBatch.claim.nextOffset),
      );
      return undefined;
    } catch (error) {
      if (members.length > 1 && !isTransient(error)) return this.applyOneByOne(members);
      for (const { reject } of members) reject(error);
      return error;
    }
  }

  private async applyOneByOne(members: readonly Waiting[]): Promise<undefined> {
    for (const [nth, member] of members.entries()) {
      const failure = await this.applyTogether([member]);
      if (!isTransient(failure)) continue;
      for (const { reject } of members.slice(nth + 1)) reject(failure);
      return;
    }
  }
}

const isTransient = (failure: unknown): boolean => failure !== undefined && classifyError(failure).is === 'transient';
