import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import { inOneWrite } from '@caravan/event-store/postgres/open-transaction';
import type { createPool } from '@caravan/event-store/postgres/connections';
import { statementName } from '@caravan/event-store/postgres/open-transaction';
import type { BackgroundTask, BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { AsyncEvent, backoffMs } from '../kafka/retry.ts';
import type { Kafka, MessagingLog } from '../kafka/kafka-port.ts';
import { allShards, type OutboxCursor, OutboxCursors } from './outbox-shards.ts';
import { Leases } from './shard-leases.ts';
import type { MessagingMetrics } from '../kafka/metrics.ts';
import { SettledPositions } from './settled-positions.ts';
import {
  bytesOf,
  deleteFromOutbox,
  messageOf,
  type OutboxRow,
  type Outgoing,
  moveToRefused,
  moveBehindRefused,
  readOutbox,
  sendWhatFits,
  upToBytes,
} from './outbox.ts';

type Pool = ReturnType<typeof createPool>;
type Statement = { readonly text: string; readonly values: readonly unknown[]; readonly name?: string };
type Connection = {
  query<Row extends object>(statement: string | Statement): Promise<{ rows: Row[]; rowCount: number | null }>;
  on(event: 'error' | 'notification', listener: () => void): unknown;
  release(isBroken: boolean): void;
};

type RelayOptions = {
  readonly service: ServiceName;
  /** Of its own: the relay keeps one connection for as long as it lives. */
  readonly pool: Pool;
  readonly kafka: Pick<Kafka, 'send' | 'ensureTopics'>;
  readonly log: MessagingLog;
  readonly background: BackgroundWork;
  readonly metrics?: Pick<MessagingMetrics, 'countRelayed' | 'countRefused'>;
  readonly settings?: RelaySettings;
};

export type RelaySettings = {
  readonly batchRows?: number;
  readonly minPollMs?: number;
  readonly maxPollMs?: number;
  /** The pause after a send: what comes meanwhile travels together, and what comes alone waits for nobody. */
  readonly lingerMs?: number;
  readonly reviewMs?: number;
  /** PostgreSQL ends a frozen relay's session, and with it its leases, after this time. */
  readonly frozenAfterMs?: number;
};

const defaults = {
  batchRows: 1_024,
  minPollMs: 50,
  maxPollMs: 250,
  lingerMs: 40,
  reviewMs: 1_000,
  frozenAfterMs: 10_000,
};
const maxBatchBytes = 900_000;
const channel = 'caravan_outbox';
const lateAfterSeconds = 30;
const mostLost = 10;

/** Carries public messages from the outbox to Kafka: at least once, in order of position for every key. */
export class Relay {
  private readonly options: RelayOptions;
  private readonly settings: Required<RelaySettings>;
  private readonly task: BackgroundTask;
  private readonly wake = new AsyncEvent();
  private readonly stopping = new AsyncEvent();
  private isNotified = false;
  private cursors = new OutboxCursors();
  private settled = new SettledPositions();
  /** The latest sessions. Each ended before the next one began, so none of their sends is still under way. */
  private lost: readonly string[] = [];
  private ended: Promise<void> | undefined;

  constructor(options: RelayOptions) {
    this.options = options;
    this.settings = { ...defaults, ...options.settings };
    this.task = options.background.register({
      kind: 'relay',
      name: 'outbox',
      lateAfterSeconds,
      hasWork: () => this.ended !== undefined && !this.stopping.isSet(),
    });
  }

  start(): void {
    this.ended ??= this.run();
  }

  notify(): void {
    this.isNotified = true;
    this.wake.set();
  }

  allCursors(): OutboxCursor[] {
    return this.cursors.of(allShards);
  }

  async stop(): Promise<void> {
    this.stopping.set();
    this.wake.set();
    await this.ended;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping.isSet();) {
      try {
        await this.session(() => (failures = 0));
      } catch (error) {
        failures += 1;
        this.task.recordFailure(error);
        this.options.log.warn({ err: error, failures }, 'relay: session lost, trying again');
        await this.stopping.wait(backoffMs(failures, 2_000));
      }
    }
  }

  private async session(onProgress: () => void): Promise<void> {
    const { service, kafka } = this.options;
    await kafka.ensureTopics([topics[service]]);
    const connection: Connection = await this.options.pool.connect();
    // Without a listener the event alone would end the process.
    connection.on('error', () => this.wake.set());
    connection.on('notification', () => this.wake.set());
    const keepAlive = setInterval(() => {
      connection.query('select 1').catch(() => undefined);
    }, this.settings.frozenAfterMs / 4);
    try {
      await prepare(connection, this.settings.frozenAfterMs);
      await this.forward(preparedQueries(connection), onProgress);
    } finally {
      clearInterval(keepAlive);
      connection.release(true);
    }
  }

  private async forward(connection: Tx, onProgress: () => void): Promise<void> {
    const leases = new Leases(connection, this.lost);
    this.cursors = new OutboxCursors();
    this.settled = new SettledPositions();
    this.lost = [...this.lost, await leases.join()].slice(-mostLost);
    let reviewAt = 0;
    let sent: readonly OutboxRow[] = [];
    for (let pollMs = this.settings.minPollMs; !this.stopping.isSet();) {
      if (Date.now() >= reviewAt) {
        // A shard is given back only when nothing of it is in hand.
        await deleteFromOutbox(connection, sent);
        sent = [];
        await leases.review();
        this.cursors.keep(leases.shards);
        this.settled.keep(leases.shards);
        await this.settled.review(connection, this.cursors.of(leases.shards));
        reviewAt = Date.now() + this.settings.reviewMs;
      }
      this.wake.reset();
      this.notifyOtherRelays(connection, leases);
      const next = await this.sendNext(connection, leases, sent);
      sent = next.sent;
      onProgress();
      this.task.recordSuccess();
      if (sent.length > 0) {
        await this.stopping.wait(next.isBehind ? 0 : this.settings.lingerMs);
        continue;
      }
      const isWoken = await this.wake.wait(Math.min(pollMs, Math.max(reviewAt - Date.now(), 1)));
      pollMs = isWoken ? this.settings.minPollMs : Math.min(pollMs * 2, this.settings.maxPollMs);
    }
    await deleteFromOutbox(connection, sent);
  }

  /** `isBehind`: what was read, or sent of it, is not all that waits. */
  private async sendNext(
    connection: Tx,
    leases: Leases,
    sent: readonly OutboxRow[],
  ): Promise<{ sent: readonly OutboxRow[]; isBehind: boolean }> {
    const rowsPerShard = Math.ceil(this.settings.batchRows / Math.max(leases.shards.length, 1));
    // In this order on one connection, so the read no longer sees what was sent.
    const [, rows] = await Promise.all([
      deleteFromOutbox(connection, sent),
      readOutbox(connection, this.cursors.of(leases.inTurn()), rowsPerShard),
    ]);
    await moveBehindRefused(
      connection,
      rows.filter((row) => row.isBehindRefused),
    );
    const { service, kafka, metrics } = this.options;
    const waiting = rows
      .filter((row) => !row.isBehindRefused)
      .map((row) => ({ row, message: messageOf(row, service, this.settled.watermarkOf(row.shard)) }));
    const { sent: delivered, refused } = await sendWhatFits(upToBytes(waiting, maxBatchBytes), (some) =>
      kafka.send(
        topics[service].name,
        some.map(({ message }) => message),
      ),
    );
    await moveToRefused(connection, refused);
    this.reportRefused(refused);
    metrics?.countRelayed(delivered.map(({ row }) => row.type));
    const gone = delivered.map(({ row }) => row);
    this.settled.settle(rows, rowsPerShard, new Set(gone));
    this.cursors.advance(rows, rowsPerShard, new Set([...gone, ...refused.map(({ row }) => row)]));
    const isCutShort = [...Map.groupBy(rows, (row) => row.shard).values()].some((read) => read.length >= rowsPerShard);
    return { sent: gone, isBehind: isCutShort || gone.length < waiting.length };
  }

  private reportRefused(refused: readonly Outgoing[]): void {
    if (refused.length === 0) return;
    const { log, metrics } = this.options;
    metrics?.countRefused(refused.length);
    const messages = refused.map(({ row: { pos, type }, message }) => ({ pos, type, bytes: bytesOf(message) }));
    log.warn({ messages }, 'relay: Kafka refuses messages for their size; their keys wait for ./caravan redrive');
  }

  private notifyOtherRelays(connection: Tx, leases: Leases): void {
    const isNews = this.isNotified && !leases.isComplete;
    this.isNotified = false;
    if (isNews) connection.query(`select pg_notify('${channel}', '')`).catch(() => undefined);
  }
}

async function prepare(connection: Connection, frozenAfterMs: number): Promise<void> {
  await connection.query(`set idle_session_timeout = ${frozenAfterMs}`);
  // A delete that a crash undoes only repeats messages, and consumers drop repeats.
  await connection.query('set synchronous_commit = off');
  // The outbox is empty or full, never what statistics say; its indexes are right for both.
  for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
    await connection.query(`set enable_${way} = off`);
  await connection.query(`select set_config('app.org', 'system', false)`);
  await connection.query(`listen ${channel}`);
}

function preparedQueries(connection: Connection): Tx {
  return {
    query: (text, values = []) => {
      const name = values.length > 0 ? statementName(text) : undefined;
      inOneWrite(connection);
      return connection.query({ text, values, ...(name !== undefined && { name }) });
    },
  };
}
