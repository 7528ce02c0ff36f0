import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { backoffMs } from './failure.ts';
import type { MessagingLog, Seek, TopicPartition } from './kafka-port.ts';
import { claimPartitions, nameOf, type PartitionClaim } from './consumer-offsets.ts';
import { AsyncEvent } from './async-event.ts';

export type AssignmentOptions = {
  readonly pool: ReturnType<typeof createPool>;
  readonly group: string;
  readonly member: string;
  readonly partitions: readonly TopicPartition[];
  readonly log: MessagingLog;
  /** Called for every claimed partition: read on from where the database stands. */
  readonly seek: Seek;
  /** The assignment before, so that its claim is not made after this one's. */
  readonly previous?: Assignment | undefined;
};

/** What one rebalance gave to this process, claimed in the database before a message of it is applied. */
export class Assignment {
  private readonly options: AssignmentOptions;
  private readonly claims = new Map<string, PartitionClaim>();
  private readonly over = new AsyncEvent();
  private reclaiming: Promise<void> | undefined;
  /** Resolves when the partitions are claimed, or when the assignment is over. */
  claimed: Promise<void>;

  constructor(options: AssignmentOptions) {
    this.options = options;
    this.claimed = (options.previous?.claimed ?? Promise.resolve()).then(() => this.claimAll());
  }

  /** Another assignment follows, or the consumer stops. */
  end(): void {
    this.over.set();
  }

  claimOf(partition: TopicPartition): PartitionClaim | undefined {
    return this.over.isSet() ? undefined : this.claims.get(nameOf(partition));
  }

  /** Claims everything again, after somebody else has claimed some of it; once for all who ask meanwhile. */
  reclaim(): Promise<void> {
    this.reclaiming ??= this.claimAll().finally(() => (this.reclaiming = undefined));
    this.claimed = this.reclaiming;
    return this.reclaiming;
  }

  private async claimAll(): Promise<void> {
    const { pool, group, member, partitions, log, seek } = this.options;
    for (let failures = 0; !this.over.isSet();) {
      try {
        const claims = await withSystem(pool, (tx) => claimPartitions(tx, group, member, partitions));
        if (this.over.isSet()) return;
        for (const claim of claims) {
          // Whoever has the old claim in hand goes on with the new one.
          this.claims.set(nameOf(claim), Object.assign(this.claims.get(nameOf(claim)) ?? {}, claim));
          seek(claim, claim.nextOffset);
        }
        return;
      } catch (error) {
        failures += 1;
        log.warn({ err: error, group, failures }, 'consumer: could not claim its partitions, trying again');
        await this.over.wait(backoffMs(failures, 2_000));
      }
    }
  }
}
