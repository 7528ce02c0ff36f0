import { Rejected } from '@caravan/event-store/rejected';
import { type ConnectionOptions, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { EnqueueOptions, JobDefinition, JobSchedule } from './jobs.ts';
import type { Log } from './log.ts';
import { closeRedis, createRedis, createSubscriber, type Redis, type RedisSettings } from './redis.ts';
import { currentTraceparent, inSpan } from './tracing.ts';

type Payload = { readonly data: unknown; readonly traceparent?: string };

const drainMs = 10_000;

/** The only door to BullMQ: one queue and one worker per job name. */
export class JobQueues {
  private readonly queues = new Map<string, Queue<Payload>>();
  private readonly workers: Worker<Payload>[] = [];
  private readonly connections: Redis[] = [];
  private readonly settings: RedisSettings;
  private readonly log: Log;

  constructor(settings: RedisSettings, log: Log) {
    this.settings = settings;
    this.log = log;
  }

  async add(job: JobDefinition, data: unknown, { key, delaySeconds }: EnqueueOptions): Promise<void> {
    await this.queueOf(job).add(job.name, this.payload(data), {
      ...this.optionsOf(job),
      jobId: jobIdOf(key),
      ...(delaySeconds !== undefined && { delay: delaySeconds * 1000 }),
    });
  }

  async schedule(job: JobDefinition, data: unknown, schedule: JobSchedule): Promise<void> {
    const repeat =
      'cron' in schedule ? { pattern: schedule.cron, tz: schedule.timeZone } : { every: schedule.everySeconds * 1000 };
    await this.queueOf(job).upsertJobScheduler(job.name, repeat, {
      name: job.name,
      data: { data },
      opts: this.optionsOf(job),
    });
  }

  work(job: JobDefinition, handle: (data: unknown) => Promise<void>): void {
    const worker = new Worker<Payload>(
      job.name,
      ({ data: { data, traceparent } }) =>
        inSpan(`job ${job.name}`, { kind: 'consumer', traceparent }, () => run(job, data, handle)),
      { connection: this.workerConnection(), prefix: this.prefix, concurrency: job.concurrency },
    );
    worker.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
    worker.on('failed', (failed, error) => {
      const isLast = !failed || failed.attemptsMade >= job.attempts || error instanceof UnrecoverableError;
      this.log[isLast ? 'error' : 'warn'](
        { err: error, job: job.name, key: failed?.id },
        isLast ? 'job failed' : 'job tries again',
      );
    });
    this.workers.push(worker);
  }

  /** How many jobs wait, run, wait for their time or have failed, by job name. */
  async counts(): Promise<Record<string, Record<string, number>>> {
    const names = [...this.queues.keys()];
    const counts = await Promise.all(
      [...this.queues.values()].map((queue) => queue.getJobCounts('wait', 'active', 'delayed', 'failed')),
    );
    return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? {}]));
  }

  /** Lets running jobs end (10 s at most), then closes everything. */
  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => closeWorker(worker)));
    await Promise.all([...this.queues.values()].map((queue) => queue.close().catch(() => undefined)));
    await Promise.all(this.connections.map(closeRedis));
  }

  private get prefix(): string {
    return `${this.settings.prefix ?? ''}jobs`;
  }

  private payload(data: unknown): Payload {
    const traceparent = currentTraceparent();
    return { data, ...(traceparent !== undefined && { traceparent }) };
  }

  private optionsOf(job: JobDefinition) {
    return {
      attempts: job.attempts,
      backoff: { type: 'exponential', delay: job.backoffSeconds * 1000 },
      removeOnComplete: { age: job.rememberedSeconds },
      removeOnFail: { age: 14 * 24 * 3600 },
    };
  }

  private queueOf(job: JobDefinition): Queue<Payload> {
    let queue = this.queues.get(job.name);
    if (!queue) {
      queue = new Queue<Payload>(job.name, {
        connection: this.producerConnection(),
        prefix: this.prefix,
        skipWaitingForReady: true,
      });
      queue.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
      this.queues.set(job.name, queue);
    }
    return queue;
  }

  private producer: ConnectionOptions | undefined;
  private producerConnection(): ConnectionOptions {
    return (this.producer ??= this.opened(createRedis({ ...this.settings, prefix: '' })));
  }

  private consumer: ConnectionOptions | undefined;
  private workerConnection(): ConnectionOptions {
    return (this.consumer ??= this.opened(createSubscriber(this.settings)));
  }

  private opened(connection: Redis): ConnectionOptions {
    this.connections.push(connection);
    return connection;
  }
}

async function run(job: JobDefinition, data: unknown, handle: (data: unknown) => Promise<void>): Promise<void> {
  const parsed = job.data.safeParse(data);
  if (!parsed.success) throw new UnrecoverableError(`Data of ${job.name} does not fit its schema`);
  try {
    await handle(parsed.data);
  } catch (error) {
    // A rule that says no says no again; only what may change is worth another attempt.
    if (error instanceof Rejected && error.kind !== 'unavailable' && error.kind !== 'too-many')
      throw new UnrecoverableError(`${error.code}: ${error.message}`);
    throw error;
  }
}

/** BullMQ takes neither colons nor plain integers as ids. */
function jobIdOf(key: string): string {
  return `k-${encodeURIComponent(key)}`;
}

async function closeWorker(worker: Worker<Payload>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), drainMs);
  });
  const outcome = await Promise.race([worker.close().catch(() => undefined), late]);
  clearTimeout(timer);
  if (outcome === 'late') await worker.close(true).catch(() => undefined);
}
