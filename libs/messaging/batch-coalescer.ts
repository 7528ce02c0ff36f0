import type { BatchOutcome, Portion } from './apply-batch.ts';
import { judge } from './failure.ts';

export type ConvoyOptions = {
  /** Applies portions of different partitions in one transaction. */
  readonly apply: (portions: readonly Portion[]) => Promise<BatchOutcome>;
  /** What follows a commit; never throws. */
  readonly settle: (outcome: BatchOutcome) => Promise<void>;
  /** Messages of one transaction at most, unless one portion alone has more. */
  readonly maxMessages: number;
};

type Waiting = {
  readonly portion: Portion;
  readonly resolve: (nextOffset: number) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Lets what arrives of several partitions at once share one transaction, since most of what a short transaction costs
 * does not depend on its messages. While one is under way the next one gathers, so under load they grow by themselves,
 * and a lone message waits for nobody. A convoy that fails is dissolved: each portion is tried alone and fails alone. When
 * what failed will pass (PostgreSQL is away), all of them fail at once: trying one after the other would only spend the
 * time in which the group must be told that its members live.
 */
export class Convoy {
  private readonly options: ConvoyOptions;
  private waiting: Waiting[] = [];
  private isMoving = false;

  constructor(options: ConvoyOptions) {
    this.options = options;
  }

  /** Offset at which the portion's partition goes on once it is applied. Throws what applying it alone threw. */
  join(portion: Portion): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ portion, resolve, reject });
      if (!this.isMoving) void this.move();
    });
  }

  private async move(): Promise<void> {
    this.isMoving = true;
    while (this.waiting.length > 0) {
      // What the client fetched together comes in one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      await this.applyTogether(this.next());
    }
    this.isMoving = false;
  }

  private next(): readonly Waiting[] {
    let messages = 0;
    const end = this.waiting.findIndex(({ portion }, nth) => {
      messages += portion.messages.length;
      return nth > 0 && messages > this.options.maxMessages;
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  /** Answers what failed, where that was told to all of them. */
  private async applyTogether(members: readonly Waiting[]): Promise<unknown> {
    try {
      const outcome = await this.options.apply(members.map(({ portion }) => portion));
      await this.options.settle(outcome);
      members.forEach(({ portion, resolve }, nth) => resolve(outcome.nextOffsets[nth] ?? portion.place.nextOffset));
      return undefined;
    } catch (error) {
      if (members.length > 1 && !willPass(error)) return this.applyOneByOne(members);
      for (const { reject } of members) reject(error);
      return error;
    }
  }

  private async applyOneByOne(members: readonly Waiting[]): Promise<undefined> {
    for (const [nth, member] of members.entries()) {
      const failure = await this.applyTogether([member]);
      if (!willPass(failure)) continue;
      for (const { reject } of members.slice(nth + 1)) reject(failure);
      return;
    }
  }
}

const willPass = (failure: unknown): boolean => failure !== undefined && judge(failure).is === 'transient';
