import type { Tx } from '@caravan/event-store/event-store';
import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { Batch, type Effect } from './batch.ts';
import { decode } from './decode.ts';
import type { Group } from './groups.ts';
import type { IncomingMessage } from './kafka-port.ts';
import {
  type AppliedPosition,
  lockKeys,
  moveOffsets,
  startBatches,
  type PartitionClaim,
  recordApplied,
  type OffsetState,
} from './consumer-offsets.ts';
import { park } from './parked.ts';
import { erasedAmong, erasePersonalData, scrubParked } from './erasure.ts';

export type BatchTools = {
  readonly pool: ReturnType<typeof createPool>;
  readonly group: Group;
  readonly frozenAfterMs: number;
};

/** Consecutive messages of one partition. */
export type PartitionBatch = {
  readonly claim: PartitionClaim;
  readonly messages: readonly IncomingMessage[];
  /** The topic begins anew below the recorded offset; per key, positions still tell what was applied. */
  readonly isRewound?: boolean;
};

export type BatchRequest = {
  /** Of different partitions. */
  readonly partitionBatches: readonly PartitionBatch[];
  readonly isIsolated: boolean;
  readonly attempt: number;
};

/** What one committed transaction did. */
export type BatchOutcome = {
  /** Where each batch's partition goes on, in the order of the batches. */
  readonly nextOffsets: readonly number[];
  readonly applied: readonly AppliedPosition[];
  readonly parkedMessages: number;
  readonly occurredAt: readonly string[];
  readonly afterCommit: readonly Effect[];
};

/**
 * Applies messages in one transaction: fence, drop what was applied before, handlers in order for every key, applied
 * positions, offsets. All of it commits or none. Throws `Fenced` and whatever a handler throws.
 */
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

/** People who are erased by this batch or were before leave nothing in what is parked. */
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

type Part = ReturnType<typeof prepared>;

function prepared(group: Group, { claim, messages, isRewound = false }: PartitionBatch) {
  const topic = group.topics.find(({ name }) => name === claim.topic);
  if (!topic) throw new Error(`Group ${group.name} does not read ${claim.topic}`);
  const items = messages.map((message) => ({ message, decoded: decode(message, topic.handlers) }));
  return { claim, items, isRewound, service: topic.service, keys: [...new Set(messages.map(({ key }) => key))] };
}

const startOf = ({ isRewound }: Part, offsetState: OffsetState): number => (isRewound ? 0 : offsetState.nextOffset);

/** A key's messages one after the other, different keys side by side. */
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

/** Waits for all of them, then throws what the first one threw: a failure must not end the transaction under the others. */
async function allSettled(ends: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

function offsetAfter(part: Part, offsetState: OffsetState | undefined): number {
  const from = offsetState ? startOf(part, offsetState) : 0;
  return Math.max(from, (part.items.at(-1)?.message.offset ?? -1) + 1);
}
