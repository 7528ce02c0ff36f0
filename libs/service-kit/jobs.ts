import { Rejected } from '@caravan/event-store/rejected';
import type { Queue, Worker } from 'bullmq';
import type { z } from 'zod';
import type { JobDefinition } from './job.ts';
import type { Log } from './log.ts';
import { closeRedis, createRedis, createSubscriber, isRedisReady, type Redis, type RedisSettings } from './redis.ts';
import { currentTraceparent, inSpan } from './tracing.ts';

export type EnqueueOptions = {
  /** While a job of this name and key waits, runs or is remembered, it is not added again. */
  readonly key: string;
  readonly delaySeconds?: number;
};

export type JobSchedule = { readonly cron: string; readonly timeZone: string } | { readonly everySeconds: number };

type Plan = { readonly job: JobDefinition; readonly data: unknown; readonly schedule: JobSchedule };
type Payload = { readonly data: unknown; readonly traceparent?: string };

const bullmq = () => import('bullmq');

const drainMs = 10_000;
const planCheckMs = 60_000;
const failedAreKeptSeconds = 14 * 24 * 3600;

export class Jobs {
  private readonly queues = new Map<string, Queue<Payload>>();
  private readonly workers: Worker<Payload>[] = [];
  private readonly worked: JobDefinition[] = [];
  private readonly settings: RedisSettings;
  private readonly log: Log;
  private readonly plans = new Map<string, Plan>();
  private planning: NodeJS.Timeout | undefined;
  private producer: Redis | undefined;
  private opening: Promise<boolean> | undefined;
  private consumer: Redis | undefined;

  constructor(settings: RedisSettings, log: Log) {
    this.settings = settings;
    this.log = log;
  }

  /** Rejects at once when Redis is away. */
  async enqueue<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    { key, delaySeconds }: EnqueueOptions,
  ): Promise<void> {
    const traceparent = currentTraceparent();
    const queue = await this.queueOf(job);
    const added = await queue.add(
      job.name,
      { data: checked(job, data), ...(traceparent !== undefined && { traceparent }) },
      {
        ...optionsOf(job),
        jobId: jobIdOf(key),
        ...(delaySeconds !== undefined && { delay: Math.ceil(delaySeconds * 1000) }),
      },
    );
    // A job that had given up is known by its key, too; whoever asks again wants it done.
    if (await added.isFailed()) await added.retry('failed').catch(() => undefined);
  }

  /** What waits for another attempt makes it now, as when it is known that what was away is back. */
  async retryNow(job: JobDefinition): Promise<void> {
    await (await this.queueOf(job)).promoteJobs();
  }

  async schedule<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    schedule: JobSchedule,
  ): Promise<void> {
    const plan = { job, data: checked(job, data), schedule };
    this.plans.set(job.name, plan);
    this.planning ??= setInterval(() => void this.keepPlans(), planCheckMs).unref();
    await this.keep(plan);
  }

  async work(job: JobDefinition, handle: (data: unknown) => Promise<void>): Promise<void> {
    const library = await bullmq();
    this.consumer ??= createSubscriber({ ...this.settings, log: this.log });
    const worker = new library.Worker<Payload>(
      job.name,
      ({ data: { data, traceparent } }) =>
        inSpan(`job ${job.name}`, { kind: 'consumer', traceparent }, () => attempt(job, data, handle)),
      { connection: this.consumer, prefix: this.prefix, concurrency: job.concurrency },
    );
    worker.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
    worker.on('failed', (failed, error) => {
      const isFinal = !failed || failed.attemptsMade >= job.attempts || error instanceof library.UnrecoverableError;
      const facts = { err: error, job: job.name, key: failed?.id };
      if (isFinal) this.log.error(facts, 'job failed');
      else this.log.warn(facts, 'job will try again');
    });
    this.openProducer();
    this.worked.push(job);
    this.workers.push(worker);
    if (job.everySeconds === undefined) return;
    this.schedule(job, {}, { everySeconds: job.everySeconds }).catch((error: unknown) => {
      this.log.warn({ err: error, job: job.name }, 'job is not scheduled yet');
    });
  }

  async counts(): Promise<Record<string, Record<string, number>>> {
    const counts = this.worked.map(async (job) => {
      const queue = await this.queueOf(job);
      return [job.name, await queue.getJobCounts('wait', 'active', 'delayed', 'failed')] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  async close(): Promise<void> {
    clearInterval(this.planning);
    const isAway = this.consumer?.status !== 'ready';
    await Promise.all(this.workers.map((worker) => closeWorker(worker, isAway)));
    await Promise.all([...this.queues.values()].map((queue) => queue.close().catch(() => undefined)));
    for (const connection of [this.producer, this.consumer]) if (connection) await closeRedis(connection);
  }

  private async keepPlans(): Promise<void> {
    for (const plan of this.plans.values())
      await this.keep(plan).catch((error: unknown) => this.log.debug({ err: error }, 'schedule not checked'));
  }

  private async keep({ job, data, schedule }: Plan): Promise<void> {
    const repeat: { pattern?: string; tz?: string; every?: number } =
      'cron' in schedule ? { pattern: schedule.cron, tz: schedule.timeZone } : { every: schedule.everySeconds * 1000 };
    const queue = await this.queueOf(job);
    const known = await queue.getJobScheduler(job.name);
    if (known && known.pattern === repeat.pattern && known.tz === repeat.tz && known.every === repeat.every) return;
    await queue.upsertJobScheduler(job.name, repeat, { name: job.name, data: { data }, opts: optionsOf(job) });
  }

  private get prefix(): string {
    return `${this.settings.prefix ?? ''}jobs`;
  }

  private openProducer(): Redis {
    // Each queue listens to it.
    return (this.producer ??= createRedis({ ...this.settings, prefix: '', log: this.log }).setMaxListeners(0));
  }

  private async queueOf(job: JobDefinition): Promise<Queue<Payload>> {
    const known = this.queues.get(job.name);
    if (known) return known;
    const connection = this.openProducer();
    if (!(await this.isReady(connection)))
      throw new Rejected('service/unavailable', 'unavailable', 'This is not available right now. Please try again.');
    return this.queues.get(job.name) ?? this.newQueue(job, connection);
  }

  /** Every schedule of a start asks while the connection is new: they wait for it together. */
  private isReady(connection: Redis): Promise<boolean> {
    const isNew = ['wait', 'connecting', 'connect'].includes(connection.status);
    if (!isNew) return isRedisReady(connection, 0);
    return (this.opening ??= isRedisReady(connection, 1_000).finally(() => (this.opening = undefined)));
  }

  private async newQueue(job: JobDefinition, connection: Redis): Promise<Queue<Payload>> {
    const library = await bullmq();
    const known = this.queues.get(job.name);
    if (known) return known;
    const queue = new library.Queue<Payload>(job.name, {
      connection,
      prefix: this.prefix,
      skipWaitingForReady: true,
    });
    queue.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
    this.queues.set(job.name, queue);
    return queue;
  }
}

function checked<Data extends z.ZodType>(job: JobDefinition<Data>, data: z.input<Data>): unknown {
  job.data.parse(data);
  return data;
}

function optionsOf(job: JobDefinition) {
  return {
    attempts: job.attempts,
    backoff: { type: 'exponential', delay: job.backoffSeconds * 1000 },
    removeOnComplete: { age: job.rememberedSeconds },
    removeOnFail: { age: failedAreKeptSeconds },
  };
}

async function attempt(job: JobDefinition, data: unknown, handle: (data: unknown) => Promise<void>): Promise<void> {
  const { UnrecoverableError } = await bullmq();
  const parsed = job.data.safeParse(data);
  if (!parsed.success) throw new UnrecoverableError(`Data of ${job.name} does not fit its schema`);
  try {
    await handle(parsed.data);
  } catch (error) {
    // A rule that says no says no again.
    if (error instanceof Rejected && error.kind !== 'unavailable' && error.kind !== 'too-many')
      throw new UnrecoverableError(`${error.code}: ${error.message}`);
    throw error;
  }
}

/** BullMQ takes neither colons nor plain integers as ids. */
function jobIdOf(key: string): string {
  return `k-${encodeURIComponent(key)}`;
}

/** Without Redis nobody can say that a job is done: it is tried again, and what waits for Redis is not waited for. */
async function closeWorker(worker: Worker<Payload>, isAway: boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([worker.close(isAway).catch(() => undefined), late]);
  clearTimeout(timer);
}
