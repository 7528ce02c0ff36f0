import type { Job, Worker } from 'bullmq';
import type { z } from 'zod';
import type { BackgroundTask, BackgroundWork } from '../telemetry/background-work.ts';
import type { Dependencies } from '../process/dependency.ts';
import { attempt, type AttemptOutcome } from './job-attempt.ts';
import { JobPlans, type JobSchedule } from './job-plans.ts';
import { JobQueues, type JobPayload } from './job-queues.ts';
import { bullOptionsOf, isNeededBy, type JobDefinition, lateAfterSecondsOf } from './job.ts';
import { KeptJobs } from './kept-jobs.ts';
import type { Log } from '../telemetry/log.ts';
import { closeRedis, createSubscriber, type Redis, type RedisSettings } from '../storage/redis.ts';
import { Repeating } from '../process/repeating.ts';
import { currentTraceparent, inSpan } from '../telemetry/tracing.ts';

export type EnqueueOptions = {
  /** While a job of this name and key waits, runs or is remembered, it is not added again. */
  readonly key: string;
  readonly delaySeconds?: number;
};

type Worked = { readonly job: JobDefinition; waiting: number };
export type JobsParts = {
  readonly log: Log;
  readonly background: BackgroundWork;
  readonly dependencies?: Dependencies;
};

const bullmq = () => import('bullmq');

const drainMs = 10_000;
const queueCheckMs = 15_000;
const retryDelayMs = 1_000;
const mostRetried = 5_000;
const catchUpMs = 5_000;
/** A job that repeats more rarely gets no extra run. */
const mostCaughtUpSeconds = 600;

export class Jobs {
  private readonly queues: JobQueues;
  private readonly workers: Worker<JobPayload>[] = [];
  private readonly worked: Worked[] = [];
  private readonly settings: RedisSettings;
  private readonly parts: JobsParts;
  private readonly log: Log;
  private readonly plans: JobPlans;
  private readonly checking: Repeating;
  private readonly kept: KeptJobs;
  private consumer: Redis | undefined;
  private isEnding = false;

  constructor(settings: RedisSettings, parts: JobsParts) {
    const { background, dependencies, log } = parts;
    this.settings = settings;
    this.parts = parts;
    this.log = log;
    this.queues = new JobQueues(settings, log, () => void this.catchUp('redis'));
    this.kept = new KeptJobs(log);
    this.plans = new JobPlans(this.queues, background);
    this.checking = new Repeating({
      background,
      name: 'job-queues',
      everyMilliseconds: queueCheckMs,
      work: () => this.checkQueues(),
    });
    dependencies?.onRestored((name) => void this.catchUp(name));
  }

  /** Rejects at once when Redis is away. */
  async enqueue<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    { key, delaySeconds }: EnqueueOptions,
  ): Promise<void> {
    const traceparent = currentTraceparent();
    const queue = await this.queues.of(job);
    const added = await queue.add(
      job.name,
      { data: parseData(job, data), ...(traceparent !== undefined && { traceparent }) },
      {
        ...bullOptionsOf(job),
        jobId: jobIdOf(key),
        ...(delaySeconds !== undefined && { delay: Math.ceil(delaySeconds * 1000) }),
      },
    );
    // A job that had given up is known by its key, too; whoever asks again wants it done.
    if (await added.isFailed()) await added.retry('failed').catch(() => undefined);
  }

  /** For committed work that a sweep would find, too: while Redis is away the job is kept and enqueued on its return. Never rejects. */
  async enqueueOrKeep<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    options: EnqueueOptions,
  ): Promise<void> {
    try {
      await this.enqueue(job, data, options);
    } catch (error) {
      if (!job.data.safeParse(data).success) return this.log.error({ err: error, job: job.name }, 'job not enqueued');
      this.log.warn({ err: error, job: job.name }, 'job waits for Redis');
      this.kept.keep(`${job.name} ${options.key}`, () => this.enqueue(job, data, options));
      this.checking.start();
    }
  }

  /** Runs jobs that wait for another attempt at once, as when a dependency is known to be back. */
  async retryNow(job: JobDefinition): Promise<void> {
    const delayed = await (await this.queues.of(job)).getDelayed(0, mostRetried - 1);
    const tried = delayed.filter(({ attemptsStarted }) => attemptsStarted > 0);
    await Promise.all(tried.map((one) => one.promote().catch(() => undefined)));
  }

  async schedule<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    schedule: JobSchedule,
  ): Promise<void> {
    await this.plans.add({ job, data: parseData(job, data), schedule });
  }

  /** A success of one of these tasks counts for every process of the service. */
  async work(job: JobDefinition, handle: (data: unknown) => Promise<void>): Promise<void> {
    const library = await bullmq();
    const { background } = this.parts;
    this.consumer ??= createSubscriber({ ...this.settings, log: this.log, background });
    const worked: Worked = { job, waiting: 0 };
    const task = background.register({
      kind: 'job',
      name: job.name,
      lateAfterSeconds: lateAfterSecondsOf(job),
      isShared: true,
      hasWork: () => job.everySeconds !== undefined || worked.waiting > 0,
    });
    const worker = new library.Worker<JobPayload>(job.name, this.processorOf(job, task, handle), {
      connection: this.consumer,
      prefix: this.queues.prefix,
      concurrency: job.concurrency,
      runRetryDelay: retryDelayMs,
      // A process that ended during a run is no failure: the next run does the work.
      ...(job.everySeconds !== undefined && { maxStalledCount: Number.MAX_SAFE_INTEGER }),
    });
    worker.on('error', (error) => this.log.debug({ err: error, job: job.name }, 'job queue is away'));
    worker.on('failed', (failed, error) => {
      const isFinal = !failed || failed.attemptsMade >= job.attempts || error instanceof library.UnrecoverableError;
      const facts = { err: error, job: job.name, key: failed?.id };
      if (isFinal) this.log.error(facts, 'job failed');
      else this.log.warn(facts, 'job will try again');
    });
    this.queues.open();
    this.worked.push(worked);
    this.workers.push(worker);
    this.checking.start();
    if (job.everySeconds === undefined) return;
    this.schedule(job, {}, { everySeconds: job.everySeconds }).catch((error: unknown) => {
      this.log.warn({ err: error, job: job.name }, 'job is not scheduled yet');
    });
  }

  async counts(): Promise<Record<string, Record<string, number>>> {
    const counts = this.worked.map(async ({ job }) => {
      const queue = await this.queues.of(job);
      return [job.name, await queue.getJobCounts('wait', 'active', 'delayed', 'failed')] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  async close(): Promise<void> {
    this.isEnding = true;
    await Promise.all([this.plans.stop(), this.checking.stop()]);
    const isAway = this.consumer?.status !== 'ready';
    await Promise.all(this.workers.map((worker) => closeWorker(worker, isAway)));
    await this.queues.close();
    if (this.consumer) await closeRedis(this.consumer);
  }

  private processorOf(job: JobDefinition, task: BackgroundTask, handle: (data: unknown) => Promise<void>) {
    const parts = { job, task, log: this.log, isEnding: () => this.isEnding };
    return (queued: Job<JobPayload>, token?: string): Promise<void> => {
      const { data, traceparent } = queued.data;
      return inSpan(`job ${job.name}`, { kind: 'consumer', traceparent }, async () =>
        settle(queued, token, await attempt(parts, data, handle)),
      );
    };
  }

  /** Runs what waits for a dependency now instead of at the next sweep or retry. */
  private async catchUp(dependency: string): Promise<void> {
    if (this.isEnding) return;
    try {
      if (dependency === 'redis') {
        await this.kept.flush();
        await this.plans.keepAll();
      }
      const needing = this.worked.filter(({ job }) => isNeededBy(dependency, job));
      await Promise.all(needing.map(({ job }) => this.catchUpWith(job)));
    } catch (error) {
      this.log.debug({ err: error, dependency }, 'what waits is done by the next sweep');
    }
  }

  private async catchUpWith(job: JobDefinition): Promise<void> {
    if (job.everySeconds === undefined) return this.retryNow(job);
    if (job.everySeconds > mostCaughtUpSeconds) return;
    // All processes catch up at the same moment; the key makes it one run.
    await this.enqueue(job, {}, { key: `catch-up ${Math.floor(Date.now() / catchUpMs)}` });
  }

  private async checkQueues(): Promise<void> {
    await this.kept.flush();
    const enqueued = this.worked.filter(({ job }) => job.everySeconds === undefined);
    const counted = enqueued.map(async (worked) => {
      const queue = await this.queues.of(worked.job);
      const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active');
      worked.waiting = wait + active;
    });
    await Promise.all(counted);
  }
}

async function settle(queued: Job<JobPayload>, token: string | undefined, outcome: AttemptOutcome): Promise<void> {
  if (outcome.is === 'done') return;
  if (outcome.is === 'failed') throw outcome.error;
  const { DelayedError, UnrecoverableError } = await bullmq();
  if (outcome.is === 'pointless') throw new UnrecoverableError(outcome.reason);
  await queued.moveToDelayed(Date.now() + outcome.milliseconds, token);
  throw new DelayedError();
}

function parseData<Data extends z.ZodType>(job: JobDefinition<Data>, data: z.input<Data>): unknown {
  job.data.parse(data);
  return data;
}

/** BullMQ takes neither colons nor plain integers as ids. */
function jobIdOf(key: string): string {
  return `k-${encodeURIComponent(key)}`;
}

/** Without Redis nobody can say that a job is done: it is tried again, and what waits for Redis is not waited for. */
async function closeWorker(worker: Worker<JobPayload>, isAway: boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([worker.close(isAway).catch(() => undefined), late]);
  clearTimeout(timer);
}
