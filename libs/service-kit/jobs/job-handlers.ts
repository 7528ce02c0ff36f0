import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { jobHandledBy } from './handles-job.decorator.ts';
import { type JobDefinition, jobMismatches } from './job.ts';
import { Jobs } from './jobs.ts';

export const DeclaredJobs = Symbol('DeclaredJobs');

type Handler = { readonly job: JobDefinition; readonly handle: (data: unknown) => Promise<void> };

@Injectable()
export class JobHandlers implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(DeclaredJobs) private readonly declared: readonly JobDefinition[],
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const handlers = this.discovery
      .getProviders()
      .flatMap((provider: { instance?: unknown }) => this.handlersOf(provider.instance));
    const problems = jobMismatches(
      this.declared,
      handlers.map(({ job }) => job),
    );
    if (problems.length > 0) throw new Error(problems.join('; '));
    await Promise.all(handlers.map(({ job, handle }) => this.jobs.work(job, handle)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.close();
  }

  private handlersOf(instance: unknown): Handler[] {
    if (typeof instance !== 'object' || instance === null) return [];
    const methods = instance as Record<string, unknown>;
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object | null).flatMap((name) => {
      const method = methods[name];
      const job = typeof method === 'function' ? jobHandledBy(method) : undefined;
      if (typeof method !== 'function' || !job) return [];
      return [
        {
          job,
          handle: async (data: unknown): Promise<void> => {
            await method.call(instance, data);
          },
        },
      ];
    });
  }
}
