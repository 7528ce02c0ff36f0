import type { PartitionExtent, TopicPartition } from '../kafka/kafka-port.ts';

/** A partition that this process was assigned; `nextOffset` is unknown until it has claimed the partition. */
export type WatchedPartition = TopicPartition & { readonly nextOffset: number | undefined };

type PartitionState = {
  nextOffset: number | undefined;
  backlog: number;
  withoutProgressMs: number;
  /** How long nothing has even been tried. */
  untriedMs: number;
  problem: string | undefined;
};

type Look = {
  /** Time during which this process ran and Kafka answered. */
  readonly elapsedMs: number;
  /** Undefined while the group has no assignment. */
  readonly partitions: readonly WatchedPartition[] | undefined;
  readonly extents: readonly PartitionExtent[];
};

/** A dependency is waited for up to a minute (`DependencyTimeout`), which is no fault of the group. */
const patienceMs = 60_000;
/** Consumers wait for locks of the database without a time limit, for instance while a rebuild switches its tables. */
const longBatchMs = 600_000;
/** A fetch is full of the first partitions when these have so many messages; the others then wait for their turn. */
const fullFetchMessages = 1_000;
const healthyLooks = 2;

/**
 * Recent work of one consumer group in this process. Time counts only as far as looks report it, so that neither
 * an outage of Kafka nor a process that was stopped makes a group look ill.
 */
export class GroupWatch {
  private readonly allowedMs: number;
  private readonly partitions = new Map<string, PartitionState>();
  private readonly batches = new Set<{ elapsedMs: number }>();
  private readonly tried = new Map<string, string>();
  private silentMs = 0;
  private sparedSilenceMs = 0;
  private healthyFor = 0;
  private replacedCount = 0;

  /** The broker notices a lost member after one session time-out; joining again may take another one. */
  constructor(sessionTimeoutMs: number) {
    this.allowedMs = 2 * sessionTimeoutMs;
  }

  heartbeat(): void {
    this.silentMs = 0;
    this.sparedSilenceMs = 0;
  }

  /** A batch of the partition was tried in vain, and will be tried again. */
  recordFailure(partition: TopicPartition, error: unknown): void {
    this.tried.set(idOf(partition), error instanceof Error ? error.message || error.name : String(error));
  }

  /** Returns what to call when the batch has ended. */
  batchBegins(): () => void {
    const batch = { elapsedMs: 0 };
    this.batches.add(batch);
    return () => this.batches.delete(batch);
  }

  /** Since the last time that the group was well. */
  get replacements(): number {
    return this.replacedCount;
  }

  get backlog(): number {
    return this.states.reduce((sum, { backlog }) => sum + backlog, 0);
  }

  /** The longest wait of a partition, or the time since the last heartbeat when that exceeds a session. */
  get withoutProgressMs(): number {
    const silentMs = this.silentMs > this.allowedMs / 2 ? this.silentMs : 0;
    return Math.max(silentMs, ...this.states.map((state) => state.withoutProgressMs));
  }

  /** How long the group has done less than it should; a wait that may be for a dependency does not count. */
  get overdueMs(): number {
    const waits = this.states.map((state) => Math.max(state.untriedMs, state.withoutProgressMs - patienceMs));
    return Math.max(0, this.silentMs - this.allowedMs / 2, ...waits);
  }

  get problem(): string {
    const [longest] = this.states.toSorted((a, b) => b.withoutProgressMs - a.withoutProgressMs);
    const what = `${this.backlog} messages are not applied`;
    if (this.silentMs > this.allowedMs / 2) return `${what}, no heartbeat for ${secondsOf(this.silentMs)} s`;
    return longest?.problem === undefined ? what : `${what}: ${longest.problem}`;
  }

  look({ elapsedMs, partitions, extents }: Look): void {
    this.silentMs += elapsedMs;
    for (const batch of this.batches) batch.elapsedMs += elapsedMs;
    if (partitions) this.compare(partitions, extents, elapsedMs);
    else for (const state of this.states) state.withoutProgressMs += elapsedMs;
    this.tried.clear();
    const isWell = partitions !== undefined && this.overdueMs === 0 && this.silentMs <= this.allowedMs / 2;
    this.healthyFor = isWell ? this.healthyFor + 1 : 0;
    if (this.healthyFor >= healthyLooks) this.replacedCount = 0;
  }

  /** Why the client is to be replaced. Each replacement doubles the time that the next client gets. */
  illness(): string | undefined {
    const allowedMs = this.allowedMs * 2 ** this.replacedCount;
    const silentMs = this.silentMs - this.sparedSilenceMs;
    if (silentMs > allowedMs) return `no heartbeat for ${secondsOf(this.silentMs)} s`;
    const untriedMs = Math.max(0, ...this.states.map((state) => state.untriedMs));
    if (untriedMs <= allowedMs) return undefined;
    return `${this.backlog} messages wait, and some were not tried for ${secondsOf(untriedMs)} s`;
  }

  countReplacement(): void {
    this.replacedCount += 1;
    this.batches.clear();
    this.spare();
  }

  /** Gives the group its whole allowance again, for instance because its coordinator does not answer. */
  spare(): void {
    this.healthyFor = 0;
    this.sparedSilenceMs = this.silentMs;
    for (const state of this.states) state.untriedMs = 0;
  }

  private get states(): PartitionState[] {
    return [...this.partitions.values()];
  }

  private compare(
    partitions: readonly WatchedPartition[],
    extents: readonly PartitionExtent[],
    elapsedMs: number,
  ): void {
    const extentOf = new Map(extents.map((extent) => [idOf(extent), extent]));
    const looked = partitions.map((partition) => ({
      id: idOf(partition),
      nextOffset: partition.nextOffset,
      backlog: backlogOf(partition, extentOf.get(idOf(partition))),
    }));
    const isFull = looked.some(({ id, nextOffset, backlog }) => {
      const before = this.partitions.get(id);
      return backlog > fullFetchMessages && before !== undefined && before.nextOffset !== nextOffset;
    });
    const isBusy = [...this.batches].some((batch) => batch.elapsedMs < longBatchMs);
    const assigned = new Set(looked.map(({ id }) => id));
    for (const id of this.partitions.keys()) if (!assigned.has(id)) this.partitions.delete(id);
    for (const { id, nextOffset, backlog } of looked) {
      const before = this.partitions.get(id);
      const isWell = nextOffset !== undefined && (backlog === 0 || before?.nextOffset !== nextOffset);
      if (!before || isWell) {
        this.partitions.set(id, { nextOffset, backlog, withoutProgressMs: 0, untriedMs: 0, problem: undefined });
        continue;
      }
      const problem = this.tried.get(id);
      // Messages that arrived since the last look have waited less than the time since it.
      const hasJustCome = nextOffset !== undefined && before.backlog === 0;
      before.backlog = backlog;
      before.problem = problem ?? before.problem;
      if (isFull || hasJustCome) continue;
      before.withoutProgressMs += elapsedMs;
      if (problem !== undefined) before.untriedMs = 0;
      else if (!isBusy) before.untriedMs += elapsedMs;
    }
  }
}

const idOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
const secondsOf = (milliseconds: number): number => Math.round(milliseconds / 1_000);

function backlogOf({ nextOffset }: WatchedPartition, extent: PartitionExtent | undefined): number {
  if (nextOffset === undefined || !extent) return 0;
  return Math.max(extent.end - Math.max(nextOffset, extent.start), 0);
}
