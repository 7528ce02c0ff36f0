import { memberErased } from '@caravan/contracts/events/identity.events';
import { allSettled } from '@caravan/event-store/core/all-settled';
import { BatchCoalescer } from '@caravan/event-store/postgres/batch-coalescer';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type createPool, withSystem } from '@caravan/event-store/postgres/connections';
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
import { decode, type Group, type GroupTopic, typeAhead } from './consumer.ts';
import { erasedAmong, erasedBy, erasePersonalData, scrubParked } from './erasure.ts';
import type { IncomingMessage, TopicPartition } from '../kafka/kafka-port.ts';
import { park } from './parked.ts';
import { classifyError } from '../kafka/retry.ts';

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
  const parts = request.partitionBatches.map((partitionBatch) => prepareBatch(group, partitionBatch));
  const { outcome, moved } = await withSystem(tools.pool, async (tx) => {
    tx.defer(`set local idle_in_transaction_session_timeout = ${tools.frozenAfterMs}`);
    const offsetStates = await startBatches(tx, group.name, parts);
    const keys = parts.flatMap((part) => part.keys);
    if (group.locksKeys) lockKeys(tx, keys);
    const batch = new Batch({ tx, group, isIsolated, attempt });
    // No key is in two partitions, so they may go side by side: their statements share round trips.
    await allSettled(parts.map((part, nth) => processAll(batch, part, offsetStates[nth])));
    await batch.flush();
    const { applied, parked, occurredAt, afterCommit } = batch;
    park(tx, group.name, parked);
    await forgetErased(tx, batch);
    const moved = parts.map((part, nth) => movedOn(part, offsetStates[nth]));
    for (const { next, service } of moved) for (const one of next.toRecord) batch.record({ ...one, service });
    recordApplied(tx, group.name, batch.recorded);
    moveOffsets(tx, group.name, moved);
    const nextOffsets = moved.map(({ nextOffset }) => nextOffset);
    return { outcome: { nextOffsets, applied, parkedMessages: parked.length, occurredAt, afterCommit }, moved };
  });
  for (const { receiving, next } of moved) receiving.commit(next);
  return outcome;
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
    const type = typeAhead(message);
    if (type === memberErased.type) return true;
    const methods = type === undefined ? [] : [...(topic.handlers.get(type)?.values() ?? [])];
    if (type !== undefined && methods.every(({ subscription }) => !subscription.takes)) return methods.length > 0;
    const decoded = decode(message, topic.handlers);
    return decoded.is !== 'foreign' || erasedBy(decoded) !== undefined;
  });
}

function topicOf(group: Group, { topic: name }: TopicPartition): GroupTopic {
  const topic = group.topics.find((one) => one.name === name);
  if (!topic) throw new Error(`Group ${group.name} does not read ${name}`);
  return topic;
}

type Part = ReturnType<typeof prepareBatch>;

function prepareBatch(group: Group, { claim, messages, readTo = 0, isRewound = false }: PartitionBatch) {
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

function movedOn(part: Part, offsetState: OffsetState | undefined) {
  if (!offsetState) throw new Error('Every batch that was started has its offset state');
  const { claim, service, readTo, items } = part;
  const nextOffset = Math.max(startOf(part, offsetState), readTo, (items.at(-1)?.message.offset ?? -1) + 1);
  const { receiving } = offsetState;
  return { topic: claim.topic, partition: claim.partition, service, nextOffset, receiving, next: receiving.next() };
}

type SharingOptions = {
  readonly apply: (partitionBatches: readonly PartitionBatch[]) => Promise<BatchOutcome>;
  readonly settle: (outcome: BatchOutcome) => Promise<void>;
  readonly maxMessages: number;
};

type Answer = PromiseSettledResult<number>;

/** Batches that arrive together share a transaction; when it fails, each is tried alone. Answers where to go on. */
export function batchesTogether(options: SharingOptions): BatchCoalescer<PartitionBatch, number> {
  async function together(partitionBatches: readonly PartitionBatch[]): Promise<readonly Answer[]> {
    try {
      const outcome = await options.apply(partitionBatches);
      await options.settle(outcome);
      return partitionBatches.map(({ claim }, nth) => ({
        status: 'fulfilled',
        value: outcome.nextOffsets[nth] ?? claim.nextOffset,
      }));
    } catch (reason) {
      if (partitionBatches.length > 1 && !isTransient(reason)) return oneByOne(partitionBatches);
      return partitionBatches.map(() => ({ status: 'rejected', reason }));
    }
  }

  async function oneByOne(partitionBatches: readonly PartitionBatch[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const partitionBatch of partitionBatches) {
      const last = answers.at(-1);
      // What passes by itself would keep all that are left waiting, without a heartbeat.
      const isAway = last?.status === 'rejected' && isTransient(last.reason);
      answers.push(...(isAway ? [last] : await together([partitionBatch])));
    }
    return answers;
  }

  return new BatchCoalescer({ apply: together, take: (waiting) => withinMessages(waiting, options.maxMessages) });
}

function withinMessages(waiting: readonly PartitionBatch[], maxMessages: number): readonly PartitionBatch[] {
  let messages = 0;
  const end = waiting.findIndex((partitionBatch, nth) => {
    messages += partitionBatch.messages.length;
    return nth > 0 && messages > maxMessages;
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}

const isTransient = (failure: unknown): boolean => classifyError(failure).is === 'transient';
