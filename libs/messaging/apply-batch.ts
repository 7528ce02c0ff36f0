import { type createPool, withSystem } from '@caravan/event-store/postgres';
import { Batch, type Effect } from './batch.ts';
import { decode } from './decode.ts';
import type { Group } from './groups.ts';
import type { IncomingMessage } from './kafka.ts';
import { type AppliedPosition, lockKeys, moveOffset, open, type Place, recordApplied } from './ledger.ts';
import { park } from './parked.ts';

export type BatchTools = {
  readonly pool: ReturnType<typeof createPool>;
  readonly group: Group;
  readonly frozenAfterMs: number;
};

export type BatchRequest = {
  readonly place: Place;
  readonly messages: readonly IncomingMessage[];
  readonly isCareful: boolean;
  readonly attempt: number;
  /** The topic begins anew below the recorded offset; per key, positions still tell what was applied. */
  readonly isRewound?: boolean;
};

/** What one committed transaction did. */
export type BatchOutcome = {
  readonly nextOffset: number;
  readonly applied: readonly AppliedPosition[];
  readonly parkedMessages: number;
  readonly occurredAt: readonly string[];
  readonly afterCommit: readonly Effect[];
};

/**
 * Applies consecutive messages of one partition in one transaction: fence, drop what was applied before, handlers in
 * order, applied positions, offset. All of it commits or none. Throws `Fenced` and whatever a handler throws.
 */
export async function applyBatch(tools: BatchTools, request: BatchRequest): Promise<BatchOutcome> {
  const { group } = tools;
  const { place, messages, isCareful, attempt, isRewound = false } = request;
  const topic = group.topics.find(({ name }) => name === place.topic);
  if (!topic) throw new Error(`Group ${group.name} does not read ${place.topic}`);
  const items = messages.map((message) => ({ message, decoded: decode(message, topic.handlers) }));
  const keys = [...new Set(messages.map(({ key }) => key))];
  return withSystem(tools.pool, async (tx) => {
    tx.defer(`set local idle_in_transaction_session_timeout = ${tools.frozenAfterMs}`);
    const standing = await open(tx, { group: group.name, service: topic.service, place, keys });
    if (group.locksKeys) lockKeys(tx, keys);
    const batch = new Batch({ tx, group, service: topic.service, place, standing, isCareful, attempt });
    const from = isRewound ? 0 : standing.nextOffset;
    for (const { message, decoded } of items) {
      if (message.offset >= from) await batch.take(message, decoded);
    }
    await batch.flush();
    const nextOffset = Math.max(from, (messages.at(-1)?.offset ?? -1) + 1);
    const { applied, parked, occurredAt, afterCommit } = batch;
    recordApplied(tx, group.name, applied);
    park(tx, group.name, parked);
    moveOffset(tx, group.name, place, nextOffset);
    return { nextOffset, applied, parkedMessages: parked.length, occurredAt, afterCommit };
  });
}
