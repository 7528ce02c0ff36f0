import { Rejected } from '@caravan/kernel/rejected';
import type { Queue } from 'bullmq';
import type { JobDefinition } from './job.ts';
import type { Log } from '../telemetry/log.ts';
import { closeRedis, createRedis, isRedisReady, type Redis, type RedisSettings } from '../storage/redis.ts';

export type JobPayload = { readonly data: unknown; readonly traceparent?: string };

const ownListeners = 20;

/** The queues of a process and the one connection that they share; opened when first used. */
export class JobQueues {
  private readonly queues = new Map<string, Queue<JobPayload>>();
  private readonly settings: RedisSettings;
  private readonly log: Log;
  private readonly onRedisBack: () => void;
  private connection: Redis | undefined;
  private opening: Promise<boolean> | undefined;

  constructor(settings: RedisSettings, log: Log, onRedisBack: () => void) {
    this.settings = settings;
    this.log = log;
    this.onRedisBack = onRedisBack;
  }

  get prefix(): string {
    return `${this.settings.prefix ?? ''}jobs`;
  }

  open(): Redis {
    if (this.connection) return this.connection;
    const connection = createRedis({ ...this.settings, prefix: '', log: this.log });
    // BullMQ adds to this for each queue.
    connection.setMaxListeners(ownListeners);
    let wasAway = false;
    connection.on('close', () => (wasAway = true));
    connection.on('ready', () => {
      if (wasAway) this.onRedisBack();
      wasAway = false;
    });
    return (this.connection = connection);
  }

  /** Rejects at once when Redis is away. */
  async of(job: JobDefinition): Promise<Queue<JobPayload>> {
    const known = this.queues.get(job.name);
    if (known) return known;
    const connection = this.open();
    if (!(await this.isReady(connection)))
      throw new Rejected('service/unavailable', 'unavailable', 'This is not available right now. Please try again.');
    return this.queues.get(job.name) ?? this.newQueue(job, connection);
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close().catch(() => undefined)));
    if (this.connection) await closeRedis(this.connection);
  }

  /** Every schedule of a start asks while the connection is new: they wait for it together. */
  private isReady(connection: Redis): Promise<boolean> {
    const isNew = ['wait', 'connecting', 'connect'].includes(connection.status);
    if (!isNew) return isRedisReady(connection, 0);
    return (this.opening ??= isRedisReady(connection, 1_000).finally(() => (this.opening = undefined)));
  }

  private async newQueue(job: JobDefinition, connection: Redis): Promise<Queue<JobPayload>> {
    const library = await import('bullmq');
    const known = this.queues.get(job.name);
    if (known) return known;
    const queue = new library.Queue<JobPayload>(job.name, {
      connection,
      prefix: this.prefix,
      skipWaitingForReady: true,
    });
    queue.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
    this.queues.set(job.name, queue);
    return queue;
  }
}
