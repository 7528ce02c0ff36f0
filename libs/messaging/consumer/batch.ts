import type { Envelope } from '@caravan/contracts/events/envelope';
import { type LogPosition, positionsOf } from '@caravan/contracts/events/log-position';
import type { ServiceName } from '@caravan/contracts/events/topics';
import type { OpenTransaction } from '@caravan/event-store/postgres/open-transaction';
import { inSpan } from '@caravan/service-kit/telemetry/tracing';
import type { BatchContext, Decoded, Group, WriteRows } from './consumer.ts';
import { type Failure, classifyError } from '../kafka/retry.ts';
import type { IncomingMessage, TopicPartition } from '../kafka/kafka-port.ts';
import { type AppliedPosition, type OffsetState, raise } from './consumer-offsets.ts';
import { type Erased, erasedBy } from './erasure.ts';
import { watermarkOf } from '../kafka/watermark.ts';

export type Effect = () => Promise<void> | void;
type AnyWriter = WriteRows<unknown>;
type Handled = Extract<Decoded, { is: 'event' }>;

type BatchScope = {
  readonly tx: OpenTransaction;
  readonly group: Group;
  /** Each message in a savepoint, so that one that fails is parked and the others go on. */
  readonly isIsolated: boolean;
  readonly attempt: number;
};

type Origin = {
  readonly service: ServiceName;
  readonly topicPartition: TopicPartition;
  readonly offsetState: Pick<OffsetState, 'receiving' | 'parkedKeys'>;
};

export type ParkedMessage = TopicPartition & {
  readonly message: IncomingMessage;
  readonly service: ServiceName;
  readonly type: string | null;
  readonly position: number | null;
  readonly code: string;
  readonly reason: string;
  readonly attempts: number;
  readonly userIds: readonly string[];
};

const behindParked = { code: 'key/parked', reason: 'An earlier message of this key is parked.' };

const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').slice(0, 4_000);

/** One batch on its way through the handlers; whoever opened the transaction records what it left. */
export class Batch {
  readonly parked: ParkedMessage[] = [];
  readonly occurredAt: string[] = [];
  readonly erased: Erased[] = [];
  private effects: Effect[] = [];
  private readonly positions = new Map<string, AppliedPosition>();
  private readonly toRecord = new Map<string, AppliedPosition>();
  private readonly queuedWrites = new Map<AnyWriter, unknown[]>();
  private readonly scope: BatchScope;
  private readonly context: BatchContext;

  constructor(scope: BatchScope) {
    this.scope = scope;
    this.context = {
      tx: scope.tx,
      group: scope.group.name,
      enqueueWrite: (write, row) => {
        const rows = this.queuedWrites.get(write as AnyWriter);
        if (rows) rows.push(row);
        else this.queuedWrites.set(write as AnyWriter, [row]);
      },
      afterCommit: (effect) => this.effects.push(effect),
    };
  }

  get isIsolated(): boolean {
    return this.scope.isIsolated;
  }

  get applied(): AppliedPosition[] {
    return [...this.positions.values()];
  }

  /** What needs a row of its key, because nothing else that is written down tells of it. */
  get recorded(): AppliedPosition[] {
    return [...this.toRecord.values()];
  }

  record(position: AppliedPosition): void {
    raise(this.toRecord, position);
  }

  get afterCommit(): readonly Effect[] {
    return this.effects;
  }

  /** Applies, drops or parks one message. Throws what a handler threw, unless isolated. */
  async process(message: IncomingMessage, decoded: Decoded, origin: Origin): Promise<void> {
    const { receiving, parkedKeys } = origin.offsetState;
    const { key, headers } = message;
    const { envelope } = decoded;
    const mark = watermarkOf(headers);
    receiving.note(mark);
    if (envelope?.key === key && receiving.has(key, positionOf(envelope, origin.service), mark)) return;
    const erased = erasedBy(decoded);
    if (erased) this.erased.push(erased);
    if (parkedKeys.has(key)) return this.park(message, decoded, behindParked, origin);
    if (decoded.is === 'broken') return this.park(message, decoded, decoded, origin);
    if (decoded.is === 'event') {
      const failure = await this.handle(message, decoded);
      if (failure) return this.park(message, decoded, { code: failure.code, reason: failure.message }, origin);
      this.occurredAt.push(decoded.envelope.occurredAt);
    }
    const isRemembered = receiving.add(key, positionOf(decoded.envelope, origin.service), mark);
    this.note(decoded.envelope, origin.service, isRemembered);
  }

  async flush(): Promise<void> {
    for (const [write, rows] of this.queuedWrites) await write(this.scope.tx, rows);
    this.queuedWrites.clear();
  }

  private async handle(message: IncomingMessage, decoded: Handled): Promise<Failure | undefined> {
    if (!this.scope.isIsolated) {
      await this.call(message, decoded);
      return undefined;
    }
    const kept = this.effects.length;
    try {
      await this.scope.tx.attempt(async () => {
        await this.call(message, decoded);
        await this.flush();
      });
      return undefined;
    } catch (error) {
      const failure = classifyError(error);
      if (failure.is === 'transient') throw error;
      this.queuedWrites.clear();
      this.effects = this.effects.slice(0, kept);
      return failure;
    }
  }

  private async call(message: IncomingMessage, { event, handler }: Handled): Promise<void> {
    const { traceparent } = message.headers;
    await inSpan(`${this.scope.group.name} ${event.type}`, { kind: 'consumer', traceparent }, () =>
      handler.handle(event, this.context),
    );
  }

  private park(
    message: IncomingMessage,
    { envelope }: Decoded,
    why: { code: string; reason: string },
    { topicPartition, service, offsetState }: Origin,
  ): void {
    offsetState.parkedKeys.add(message.key);
    this.parked.push({
      topic: topicPartition.topic,
      partition: topicPartition.partition,
      message,
      service,
      type: envelope ? storable(envelope.type) : null,
      position: envelope?.position ?? null,
      code: why.code,
      reason: storable(why.reason),
      userIds: aboutWhom(message.key, envelope),
      attempts: why === behindParked ? 0 : this.scope.attempt,
    });
  }

  private note(envelope: Envelope, service: ServiceName, isRemembered: boolean): void {
    const { key } = envelope;
    const { group } = this.scope;
    const isDirect = (name: string) => group.topics.some((topic) => topic.service === name);
    const own = { key, service, ...positionOf(envelope, service) };
    raise(this.positions, own);
    if (!isRemembered) this.record(own);
    for (const [name, position] of Object.entries(positionsOf(envelope))) {
      const cause = { key, service: name as ServiceName, ...position };
      // Nobody asks this group about other causes; what it reads itself counts only once it has read it.
      if (!group.follows.has(cause.service) || isDirect(name)) continue;
      raise(this.positions, cause);
      this.record(cause);
    }
  }
}

function aboutWhom(key: string, envelope: Envelope | undefined): string[] {
  const { userId, namedIds = [] } = (envelope?.data ?? {}) as { userId?: unknown; namedIds?: unknown };
  const named = [userId, ...(Array.isArray(namedIds) ? (namedIds as unknown[]) : [])];
  return [key, ...named.filter((id) => typeof id === 'string')];
}

const positionOf = ({ position, epochs }: Envelope, service: ServiceName): LogPosition => ({
  epoch: epochs[service] ?? 0,
  position,
});
