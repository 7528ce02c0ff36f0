import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { backoffMs } from './failure.ts';
import type { MessagingLog, Seek, TopicPartition } from './kafka-port.ts';
import { claim, nameOf, type Place } from './consumer-offsets.ts';
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
  private readonly places = new Map<string, Place>();
  private readonly over = new AsyncEvent();
  private reclaiming: Promise<void> | undefined;
  /** Resolves when the partitions are claimed, or when the assignment is over. */
  claimed: Promise<void>;

  constructor(options: AssignmentOptions) {
    this.options = options;
    this.claimed = (options.previous?.claimed ?? Promise.resolve()).then(() => this.claim());
  }

  /** Another assignment follows, or the consumer stops. */
  end(): void {
    this.over.set();
  }

  placeOf(partition: TopicPartition): Place | undefined {
    return this.over.isSet() ? undefined : this.places.get(nameOf(partition));
  }

  /** Claims everything again, after somebody else has claimed some of it; once for all who ask meanwhile. */
  reclaim(): Promise<void> {
    this.reclaiming ??= this.claim().finally(() => (this.reclaiming = undefined));
    this.claimed = this.reclaiming;
    return this.reclaiming;
  }

  private async claim(): Promise<void> {
    const { pool, group, member, partitions, log, seek } = this.options;
    for (let failures = 0; !this.over.isSet();) {
      try {
        const places = await withSystem(pool, (tx) => claim(tx, group, member, partitions));
        if (this.over.isSet()) return;
        for (const place of places) {
          // Whoever has the place in hand goes on with the new claim.
          this.places.set(nameOf(place), Object.assign(this.places.get(nameOf(place)) ?? {}, place));
          seek(place, place.nextOffset);
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
