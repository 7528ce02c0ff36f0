import { allSettled } from '@caravan/event-store/all-settled';
import type { Tx } from '@caravan/event-store/event-store';
import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { Batch, type Effect } from './batch.ts';
import {
  type AppliedPosition,
  lockKeys,
  moveOffsets,
  type OffsetState,
  type PartitionClaim,
  recordApplied,
  startBatches,
} from './consumer-offsets.ts';
import { decode, type Group, type GroupTopic } from './consumer.ts';
import { erasedAmong, erasedBy, erasePersonalData, scrubParked } from './erasure.ts';
import type { IncomingMessage, TopicPartition } from './kafka-port.ts';
import { park } from './parked.ts';
import { classifyError } from './retry.ts';

type BatchTools = {
  readonly pool: ReturnType<typeof createPool>;
  readonly group: Group;
  readonly frozenAfterMs: number;
};

export type PartitionBatch = {
  readonly claim: PartitionClaim;
  readonly messages: readonly IncomingMessage[];
  /** The offset to go on from, where what follows the last of these messages was passed over. */
  readonly readTo?: number;
  /** The topic begins anew below the recorded offset; positions still tell what was applied of a key. */
  readonly isRewound?: boolean;
};

export type BatchRequest = {
  readonly partitionBatches: readonly PartitionBatch[];
  readonly isIsolated: boolean;
  readonly attempt: number;
};

export type BatchOutcome = {
  readonly nextOffsets: readonly number[];
  readonly applied: readonly AppliedPosition[];
  readonly parkedMessages: number;
  readonly occurredAt: readonly string[];
  readonly afterCommit: readonly Effect[];
};

/** Applies messages and moves their offsets in one transaction. Throws `Fenced` and whatever a handler throws. */
export async function applyBatch(tools: BatchTools, request: BatchRequest): Promise<BatchOutcome> {
  const { group } = tools;
  const { isIsolated, attempt } = request;
  const parts = request.partitionBatches.map((partitionBatch) => prepared(group, partitionBatch));
  return withSystem(tools.pool, async (tx) => {
    tx.defer(`set local idle_in_transaction_session_timeout = ${tools.frozenAfterMs}`);
    const offsetStates = await startBatches(tx, group.name, parts);
    const keys = parts.flatMap((part) => part.keys);
    if (group.locksKeys) lockKeys(tx, keys);
    const batch = new Batch({ tx, group, isIsolated, attempt });
    // No key is in two partitions, so they may go side by side: their statements share round trips.
    await allSettled(parts.map((part, nth) => processAll(batch, part, offsetStates[nth])));
    await batch.flush();
    const { applied, parked, occurredAt, afterCommit } = batch;
    recordApplied(tx, group.name, applied);
    park(tx, group.name, parked);
    await forgetErased(tx, batch);
    const nextOffsets = parts.map((part, nth) => offsetAfter(part, offsetStates[nth]));
    moveOffsets(
      tx,
      group.name,
      parts.map(({ claim }, nth) => ({
        ...claim,
        batches: offsetStates[nth]?.batches ?? 0,
        nextOffset: nextOffsets[nth] ?? claim.nextOffset,
      })),
    );
    return { nextOffsets, applied, parkedMessages: parked.length, occurredAt, afterCommit };
  });
}

async function forgetErased(tx: Tx, { erased, parked }: Batch): Promise<void> {
  if (erased.length > 0) await erasePersonalData(tx, erased);
  if (parked.length > 0)
    await scrubParked(
      tx,
      await erasedAmong(
        tx,
        parked.flatMap(({ userIds }) => userIds),
      ),
    );
}

/** What of these messages its group has anything to do with. The others of an awaited topic leave their positions. */
export function heardOf(group: Group, partition: TopicPartition, messages: readonly IncomingMessage[]) {
  const topic = topicOf(group, partition);
  if (topic.isAwaited) return messages;
  return messages.filter((message) => {
    const decoded = decode(message, topic.handlers);
    return decoded.is !== 'foreign' || erasedBy(decoded) !== undefined;
  });
}

function topicOf(group: Group, { topic: name }: TopicPartition): GroupTopic {
  const topic = group.topics.find((one) => one.name === name);
  if (!topic) throw new Error(`Group ${group.name} does not read ${name}`);
  return topic;
}

type Part = ReturnType<typeof prepared>;

function prepared(group: Group, { claim, messages, readTo = 0, isRewound = false }: PartitionBatch) {
  const topic = topicOf(group, claim);
  const items = messages.map((message) => ({ message, decoded: decode(message, topic.handlers) }));
  return {
    claim,
    items,
    readTo,
    isRewound,
    service: topic.service,
    keys: [...new Set(messages.map(({ key }) => key))],
  };
}

const startOf = ({ isRewound }: Part, offsetState: OffsetState): number => (isRewound ? 0 : offsetState.nextOffset);

async function processAll(batch: Batch, part: Part, offsetState: OffsetState | undefined): Promise<void> {
  if (!offsetState) throw new Error('Every batch that was started has its offset state');
  const from = startOf(part, offsetState);
  const origin = { service: part.service, topicPartition: part.claim, offsetState };
  const items = part.items.filter(({ message }) => message.offset >= from);
  const rows = batch.isIsolated ? [items] : [...Map.groupBy(items, ({ message }) => message.key).values()];
  await allSettled(
    rows.map(async (row) => {
      for (const { message, decoded } of row) await batch.process(message, decoded, origin);
    }),
  );
}

function offsetAfter(part: Part, offsetState: OffsetState | undefined): number {
  const from = offsetState ? startOf(part, offsetState) : 0;
  return Math.max(from, part.readTo, (part.items.at(-1)?.message.offset ?? -1) + 1);
}

type BatchCoalescerOptions = {
  readonly apply: (partitionBatches: readonly PartitionBatch[]) => Promise<BatchOutcome>;
  readonly settle: (outcome: BatchOutcome) => Promise<void>;
  readonly maxMessages: number;
};

type Waiting = {
  readonly partitionBatch: PartitionBatch;
  readonly resolve: (nextOffset: number) => void;
  readonly reject: (error: unknown) => void;
};

/** Group commit: batches that arrive together share a transaction; when it fails, each is tried alone. */
export class BatchCoalescer {
  private readonly options: BatchCoalescerOptions;
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(options: BatchCoalescerOptions) {
    this.options = options;
  }

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
