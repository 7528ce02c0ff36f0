import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from './consumer-offsets.ts';
import type { ConsumerEvents, EndOffset, IncomingBatch, Kafka } from './kafka-port.ts';

/** How soon a closed partition is looked at again: its messages are fetched for nothing meanwhile. */
const closedPauseMs = 20;

/** Lets a consumer read up to given offsets and no further, so that two groups can be brought to the same place. */
export class Gate {
  private bounds: ReadonlyMap<string, number> | undefined;
  private readonly underWay = new Set<Promise<void>>();

  /** A client whose consumers stand at this gate. */
  before(kafka: Kafka): Kafka {
    return {
      ...kafka,
      consume: (group, topics, events) =>
        kafka.consume(group, topics, { ...events, onBatch: (batch) => this.pass(batch, events) }),
    };
  }

  /** Nothing passes from now on but what lies before these offsets; resolves when what had passed is applied. */
  async close(before: readonly EndOffset[]): Promise<void> {
    this.bounds = new Map(before.map((end) => [nameOf(end), end.end]));
    await Promise.allSettled(this.underWay);
  }

  open(): void {
    this.bounds = undefined;
  }

  private async pass(batch: IncomingBatch, events: ConsumerEvents): Promise<void> {
    const bounds = this.bounds;
    const bound = bounds ? (bounds.get(nameOf(batch)) ?? 0) : Infinity;
    const messages = batch.messages.filter(({ offset }) => offset < bound);
    if (messages.length === 0) {
      await sleep(closedPauseMs);
      return;
    }
    const isRunning = () => batch.isRunning() && this.bounds === bounds;
    const applied = events.onBatch({ ...batch, messages, isRunning });
    this.underWay.add(applied);
    try {
      await applied;
    } finally {
      this.underWay.delete(applied);
    }
  }
}
