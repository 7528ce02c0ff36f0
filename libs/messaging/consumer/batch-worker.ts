import type { createPool } from '@caravan/event-store/postgres/connections';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  applyBatch,
  batchesTogether,
  type BatchOutcome,
  type BatchRequest,
  heardOf,
  type PartitionBatch,
} from './apply-batch.ts';
import { type AppliedListener, type Assignment, Fenced, nameOf, type PartitionClaim } from './consumer-offsets.ts';
import { backoffMs, classifyError } from '../kafka/retry.ts';
import type { Group } from './consumer.ts';
import type { GroupWatch } from './group-watch.ts';
import type { IncomingBatch, MessagingLog } from '../kafka/kafka-port.ts';
import type { MessagingMetrics } from '../kafka/metrics.ts';
import { PassedOffsets } from './passed-offsets.ts';

export type ConsumerSettings = {
  readonly batchMessages?: number;
  /** Tries of a batch that fails for no reason known to pass, before the failing message is parked. */
  readonly maxTries?: number;
  /** PostgreSQL ends a frozen consumer's transaction, and with it its locks, after this time. */
  readonly frozenAfterMs?: number;
  readonly maxBackoffMs?: number;
  /** How long it may stay unrecorded how far a partition was read where nothing was to be done. */
  readonly recordPassedAfterMs?: number;
};

export const consumerDefaults = {
  batchMessages: 500,
  maxTries: 3,
  frozenAfterMs: 5_000,
  maxBackoffMs: 3_000,
  recordPassedAfterMs: 1_000,
};
const claimTimeoutMs = 2_000;
const reclaimAfterMs = 100;
const hintEveryMs = 5_000;
/** Nothing is fetched while messages are applied, so the client sends no heartbeat of its own. */
const beatEveryMs = 1_000;

export type BatchWorkerOptions = {
  readonly group: Group;
  readonly pool: ReturnType<typeof createPool>;
  readonly log: MessagingLog;
  readonly settings: Required<ConsumerSettings>;
  readonly metrics?: MessagingMetrics | undefined;
  readonly positions?: AppliedListener | undefined;
  readonly watch?: Pick<GroupWatch, 'batchBegins' | 'recordFailure'>;
  readonly onParked: () => void;
};

type Retrying = { failures: number; faults: number; isIsolated: boolean };

/** Applies fetched batches and decides what follows a failure: a retry, a fence, or parking. */
export class BatchWorker {
  private readonly options: BatchWorkerOptions;
  private readonly coalescer: ReturnType<typeof batchesTogether>;
  private readonly passed: PassedOffsets;
  private readonly retries = new Map<string, Retrying>();
  private readonly hintedAt = new Map<string, number>();
  private readonly paused = new Map<NodeJS.Timeout, () => void>();

  constructor(options: BatchWorkerOptions) {
    this.options = options;
    this.coalescer = batchesTogether({
      apply: (partitionBatches) => this.commit({ partitionBatches, isIsolated: false, attempt: 1 }),
      settle: (outcome) => this.settle(outcome),
      maxMessages: options.settings.batchMessages,
    });
    this.passed = new PassedOffsets({
      afterMs: options.settings.recordPassedAfterMs,
      record: (claims) => {
        const partitionBatches = claims.map((claim) => ({ claim, messages: [], readTo: claim.nextOffset }));
        return this.commit({ partitionBatches, isIsolated: false, attempt: 1 });
      },
    });
  }

  reset(): void {
    this.retries.clear();
    this.passed.forget();
    for (const [timer, resume] of this.paused) {
      clearTimeout(timer);
      // The client keeps a pause for the next assignment, which may bring the same partition.
      resume();
    }
    this.paused.clear();
  }

  async work(batch: IncomingBatch, assignment: Assignment): Promise<void> {
    const beating = setInterval(() => void batch.heartbeat().catch(() => undefined), beatEveryMs);
    const ended = this.options.watch?.batchBegins();
    try {
      await this.workThrough(batch, assignment);
    } finally {
      clearInterval(beating);
      ended?.();
    }
  }

  private async workThrough(batch: IncomingBatch, assignment: Assignment): Promise<void> {
    await Promise.race([assignment.claimed, sleep(claimTimeoutMs, undefined, { ref: false })]);
    if (batch.isStale()) return;
    const claim = assignment.claimOf(batch);
    if (!claim) {
      const resume = batch.pause();
      void assignment.claimed.then(resume);
      return;
    }
    let isRewound = this.compare(batch, claim);
    const { batchMessages } = this.options.settings;
    for (let start = 0; start < batch.messages.length && batch.isRunning(); start += batchMessages) {
      const read = batch.messages.slice(start, start + batchMessages);
      const messages = heardOf(this.options.group, claim, read);
      const readTo = (read.at(-1)?.offset ?? -1) + 1;
      if (messages.length === 0 && !isRewound) this.passed.pass(claim, readTo);
      else if (!(await this.apply(batch, { claim, messages, readTo, isRewound }, assignment))) return;
      isRewound = false;
      batch.resolve(claim.nextOffset - 1);
      await batch.heartbeat();
    }
    await this.hint(batch, claim);
  }

  private async apply(batch: IncomingBatch, partitionBatch: PartitionBatch, assignment: Assignment): Promise<boolean> {
    const { claim } = partitionBatch;
    const name = nameOf(claim);
    const known = this.retries.get(name);
    const retrying = known ?? { failures: 0, faults: 0, isIsolated: false };
    await this.passed.settle(claim);
    try {
      claim.nextOffset = await (known ? this.applyAlone(partitionBatch, known) : this.coalescer.add(partitionBatch));
      this.retries.delete(name);
      return true;
    } catch (error) {
      this.options.watch?.recordFailure(claim, error);
      if (error instanceof Fenced) {
        await this.yieldPartition(batch, claim, assignment);
        return false;
      }
      this.retries.set(name, retrying);
      const delayMs = this.recover(error, retrying, name);
      if (delayMs === 0) return this.apply(batch, partitionBatch, assignment);
      this.pause(batch, delayMs);
      return false;
    }
  }

  private async applyAlone(partitionBatch: PartitionBatch, { isIsolated, faults }: Retrying): Promise<number> {
    const outcome = await this.commit({ partitionBatches: [partitionBatch], isIsolated, attempt: faults + 1 });
    await this.settle(outcome);
    return outcome.nextOffsets[0] ?? partitionBatch.claim.nextOffset;
  }

  private commit(request: BatchRequest): Promise<BatchOutcome> {
    const { group, pool, settings } = this.options;
    return applyBatch({ group, pool, frozenAfterMs: settings.frozenAfterMs }, request);
  }

  private recover(error: unknown, retrying: Retrying, partition: string): number {
    const { group, log, metrics, settings } = this.options;
    const failure = classifyError(error);
    const wasIsolated = retrying.isIsolated;
    metrics?.countFailure(group.name, failure.is);
    if (failure.is === 'transient') {
      retrying.failures += 1;
      log.warn(
        { err: error, group: group.name, partition, failures: retrying.failures },
        'consumer: waits and tries again',
      );
      return backoffMs(retrying.failures, settings.maxBackoffMs);
    }
    retrying.faults += 1;
    retrying.isIsolated ||= failure.is === 'refused' || retrying.faults >= settings.maxTries;
    log.error(
      { err: error, group: group.name, partition, faults: retrying.faults },
      'consumer: could not apply a batch',
    );
    // Message by message the one at fault is found and parked; what fails even so cannot be blamed on one.
    return retrying.isIsolated && !wasIsolated ? 0 : backoffMs(retrying.faults, settings.maxBackoffMs);
  }

  private async yieldPartition(batch: IncomingBatch, claim: PartitionClaim, assignment: Assignment): Promise<void> {
    const { group, log, metrics } = this.options;
    metrics?.countFailure(group.name, 'fenced');
    log.warn({ group: group.name, partition: nameOf(claim) }, 'consumer: another process has claimed the partition');
    // Only a member may take the partition back: two processes that both did would do so in turn, for ever.
    await batch.confirmMembership();
    this.pause(batch, reclaimAfterMs, () => assignment.reclaim());
  }

  private async settle(outcome: BatchOutcome): Promise<void> {
    const { group, log, metrics, positions, onParked } = this.options;
    positions?.recordApplied(group.name, outcome.applied);
    const now = Date.now();
    for (const at of outcome.occurredAt) metrics?.observeApplied(group.name, Math.max(now - Date.parse(at), 0) / 1_000);
    if (outcome.parkedMessages > 0) {
      metrics?.countParked(group.name, outcome.parkedMessages);
      log.error({ group: group.name, messages: outcome.parkedMessages }, 'consumer: parked messages');
      onParked();
    }
    for (const effect of outcome.afterCommit) {
      try {
        await effect();
      } catch (error) {
        log.error({ err: error, group: group.name }, 'consumer: an effect after the commit failed');
      }
    }
  }

  /** Whether the topic begins anew. Offsets that do not follow on mean that messages are gone. */
  private compare(batch: IncomingBatch, claim: PartitionClaim): boolean {
    const missing = (batch.messages[0]?.offset ?? claim.nextOffset) - claim.nextOffset;
    if (missing === 0 || claim.nextOffset === 0) return false;
    const { group, log, metrics } = this.options;
    metrics?.countFailure(group.name, missing > 0 ? 'expired' : 'rewound');
    const what = missing > 0 ? 'messages have expired before they were read' : 'the topic begins anew';
    log.error({ group: group.name, partition: nameOf(claim), missing }, `consumer: ${what}`);
    return missing < 0;
  }

  private async hint(batch: IncomingBatch, claim: PartitionClaim): Promise<void> {
    const now = Date.now();
    if (now - (this.hintedAt.get(nameOf(claim)) ?? 0) < hintEveryMs) return;
    this.hintedAt.set(nameOf(claim), now);
    await batch.hint(claim.nextOffset).catch(() => undefined);
  }

  private pause(batch: IncomingBatch, milliseconds: number, then: () => Promise<void> = () => Promise.resolve()): void {
    const resume = batch.pause();
    const timer = setTimeout(() => {
      this.paused.delete(timer);
      void then().then(resume);
    }, milliseconds);
    this.paused.set(timer, resume);
  }
}
