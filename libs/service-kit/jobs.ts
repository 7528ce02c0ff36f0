import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { z } from 'zod';
import { JobQueues } from './job-queues.ts';
import { jobHandledBy } from './handles-job.decorator.ts';

/** Work that is slow, retried or scheduled. Its name is its queue; its data goes through the schema on both sides. */
export type JobDefinition<Data extends z.ZodType = z.ZodType> = {
  /** `<service>.<what-it-does>`. */
  readonly name: string;
  readonly data: Data;
  readonly attempts: number;
  /** Wait before the second attempt; doubles with each further one. */
  readonly backoffSeconds: number;
  /** How many of them one process works on at a time. */
  readonly concurrency: number;
  /** How long a finished job's key keeps the same job from running again. */
  readonly rememberedSeconds: number;
};

/** Declares a job; list it in `ServiceKitModule.forRoot(env, { jobs })` and give it one `@HandlesJob` method. */
export function defineJob<Data extends z.ZodType>(
  job: Pick<JobDefinition<Data>, 'name' | 'data'> & Partial<JobDefinition<Data>>,
): JobDefinition<Data> {
  return { attempts: 8, backoffSeconds: 2, concurrency: 4, rememberedSeconds: 24 * 3600, ...job };
}

/** Injection token of the jobs a service declared. */
export const DeclaredJobs = Symbol('DeclaredJobs');

export type EnqueueOptions = {
  /** Natural key: while a job of this name and key is known (waiting, running or remembered), it is not added again. */
  readonly key: string;
  readonly delaySeconds?: number;
};

export type JobSchedule = { readonly cron: string; readonly timeZone: string } | { readonly everySeconds: number };

/** Puts jobs on their queues and runs their handlers. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(DeclaredJobs) private readonly declared: readonly JobDefinition[],
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** Adds a job; rejects at once when Redis is away, so call it where trying again is somebody's business. */
  async enqueue<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    options: EnqueueOptions,
  ): Promise<void> {
    await this.queues.add(job, job.data.parse(data), options);
  }

  /** Sets when a job runs again and again; the same call after a restart changes nothing. */
  async schedule<Data extends z.ZodType>(
    job: JobDefinition<Data>,
    data: z.input<Data>,
    schedule: JobSchedule,
  ): Promise<void> {
    await this.queues.schedule(job, job.data.parse(data), schedule);
  }

  /** Starts the workers. Throws when a declared job has no handler or more than one, or a handler an undeclared job. */
  onApplicationBootstrap(): void {
    const handlers = this.discovery
      .getProviders()
      .flatMap(({ instance }: { instance?: unknown }) => this.handlersOf(instance));
    for (const problem of mismatches(
      this.declared,
      handlers.map(({ job }) => job),
    ))
      throw new Error(problem);
    for (const { job, handle } of handlers) this.queues.work(job, handle);
  }

  async onModuleDestroy(): Promise<void> {
    await this.queues.close();
  }

  private handlersOf(instance: unknown) {
    if (typeof instance !== 'object' || instance === null) return [];
    const methods = instance as Record<string, unknown>;
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object | null).flatMap((name) => {
      const method = methods[name];
      if (typeof method !== 'function') return [];
      const job = jobHandledBy(method);
      return job ? [{ job, handle: (data: unknown) => method.call(instance, data) as Promise<void> }] : [];
    });
  }
}

/** What is wrong between declared jobs and their handlers; empty when each has exactly one. */
export function mismatches(declared: readonly JobDefinition[], handled: readonly JobDefinition[]): string[] {
  const problems = declared.flatMap((job) => {
    const count = handled.filter((other) => other === job).length;
    return count === 1 ? [] : [`Job ${job.name} has ${count === 0 ? 'no handler' : `${count} handlers`}`];
  });
  const names = declared.map(({ name }) => name);
  for (const name of new Set(names))
    if (names.filter((other) => other === name).length > 1) problems.push(`Job ${name} is declared twice`);
  for (const job of handled)
    if (!declared.includes(job)) problems.push(`Job ${job.name} has a handler but is not declared`);
  return problems;
}
