import { EventStore } from '@caravan/event-store/core/event-store';
import { createPostgresEventStore } from '@caravan/event-store/postgres/postgres-event-store';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundWork } from '../telemetry/background-work.ts';
import { Commits } from '../storage/commits.ts';
import { Cursors } from './cursors.ts';
import { Dependencies } from '../process/dependency.ts';
import { Env, type ServiceEnv } from '../process/env.ts';
import { ForgottenAnswers } from '../jobs/forgotten-answers.ts';
import { Health } from './health.controller.ts';
import { ImageWorker } from '../media/image-worker.ts';
import { DeclaredJobs, JobHandlers } from '../jobs/job-handlers.ts';
import type { JobDefinition } from '../jobs/job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Live } from '../live/live.ts';
import { createLog, Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { createObjectStorage, objectSettingsOf, ObjectStorage, objectsDependency } from '../storage/objects.ts';
import { PhotoAddresses } from '../storage/photo-address.ts';
import { createRequestPool, Pool } from '../storage/pool.ts';
import { closeRedis, createRedis, isRedisReady, Redis, redisDependency } from '../storage/redis.ts';
import { noteCommitted } from '../telemetry/request-context.ts';
import { SharedSuccesses } from '../jobs/shared-successes.ts';
import { Sweeps } from '../jobs/sweeps.ts';

export type ServiceKitOptions = {
  readonly jobs?: readonly JobDefinition[];
  readonly log?: Log;
};

/** Closes connections last, once servers, consumers, relays and jobs have ended in the earlier hooks. */
@Injectable()
class Connections implements OnApplicationShutdown {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Redis) private readonly redis: Redis,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.end(), closeRedis(this.redis)]);
  }
}

const basics = [Env, Log, Health, Metrics, BackgroundWork, Dependencies, Commits, Redis, Pool];
const offered = [...basics, EventStore, ObjectStorage, PhotoAddresses, Cursors, ImageWorker, Jobs, Live, Sweeps];

@Module({})
export class ServiceKitModule {
  static forRoot(env: ServiceEnv, { jobs = [], log }: ServiceKitOptions = {}): DynamicModule {
    const providers: Provider[] = [
      { provide: Env, useValue: env },
      { provide: Log, useFactory: () => log ?? createLog({ service: env.SERVICE_NAME, level: env.LOG_LEVEL }) },
      { provide: Metrics, useFactory: () => new Metrics(env.SERVICE_NAME) },
      { provide: BackgroundWork, useFactory: (metrics: Metrics) => new BackgroundWork(metrics), inject: [Metrics] },
      { provide: Health, useFactory: (background: BackgroundWork) => new Health(background), inject: [BackgroundWork] },
      { provide: Dependencies, useFactory: (metrics: Metrics) => new Dependencies(metrics), inject: [Metrics] },
      { provide: Commits, useFactory: () => new Commits() },
      { provide: Redis, useFactory: openRedis, inject: [Env, Log, Health, Dependencies] },
      { provide: Pool, useFactory: openPool, inject: [Env, Health, Metrics, Dependencies] },
      { provide: EventStore, useFactory: openStore, inject: [Env, Pool, Commits] },
      { provide: ObjectStorage, useFactory: openObjects, inject: [Env, Dependencies] },
      { provide: PhotoAddresses, useFactory: () => new PhotoAddresses(env.PHOTO_ADDRESS_KEY) },
      { provide: Cursors, useFactory: () => new Cursors(env.CURSOR_KEY, env.CURSOR_KEYS_BEFORE) },
      { provide: ImageWorker, useFactory: openImages, inject: [Env, Log, Metrics] },
      { provide: Jobs, useFactory: openJobs(env), inject: [Log, Metrics, BackgroundWork, Dependencies] },
      { provide: DeclaredJobs, useValue: jobs },
      JobHandlers,
      Live,
      Sweeps,
      ForgottenAnswers,
      SharedSuccesses,
      Connections,
    ];
    return {
      module: ServiceKitModule,
      global: true,
      imports: [DiscoveryModule],
      providers,
      exports: offered,
    };
  }
}

async function openRedis(env: ServiceEnv, log: Log, health: Health, dependencies: Dependencies): Promise<Redis> {
  const { REDIS_URL: url, REDIS_PREFIX: prefix, SERVICE_NAME: name } = env;
  const redis = createRedis({ url, prefix, name, log, dependency: dependencies.of(redisDependency) });
  health.register('redis', async () => {
    await redis.ping();
  });
  // Commands fail at once without a connection, so the first ones wait for it here.
  await isRedisReady(redis);
  return redis;
}

function openPool(env: ServiceEnv, health: Health, metrics: Metrics, dependencies: Dependencies): Pool {
  const pool = createRequestPool(env, dependencies);
  health.register('postgres', async () => {
    await pool.query('select 1');
  });
  metrics.gauge({
    name: 'caravan_database_connections',
    help: 'Connections of the pool by what they do; waiting counts requests without one.',
    labels: ['state'],
    collect: (gauge) => {
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  return pool;
}

function openStore(env: ServiceEnv, pool: Pool, commits: Commits): EventStore {
  return createPostgresEventStore({
    pool,
    service: env.SERVICE_NAME,
    onCommitted: (committed) => {
      noteCommitted(env.SERVICE_NAME, committed);
      commits.announce(committed);
    },
  });
}

function openObjects(env: ServiceEnv, dependencies: Dependencies): ObjectStorage {
  return createObjectStorage(objectSettingsOf(env), dependencies.of(objectsDependency));
}

function openImages(env: ServiceEnv, log: Log, metrics: Metrics): ImageWorker {
  const images = new ImageWorker({
    log,
    processes: env.IMAGE_PROCESSES,
    megabytes: env.IMAGE_MEGABYTES,
    seconds: env.IMAGE_SECONDS,
  });
  metrics.gauge({
    name: 'caravan_images',
    help: 'Pictures of untrusted files by what happens to them.',
    labels: ['state'],
    collect: (gauge) => {
      gauge.set({ state: 'decoding' }, images.pids.length);
      gauge.set({ state: 'waiting' }, images.waitingCount);
    },
  });
  return images;
}

const openJobs =
  (env: ServiceEnv) => (log: Log, metrics: Metrics, background: BackgroundWork, dependencies: Dependencies) => {
    const settings = { url: env.REDIS_URL, prefix: env.REDIS_PREFIX, name: `${env.SERVICE_NAME}-jobs` };
    const jobs = new Jobs(settings, { log, background, dependencies });
    metrics.gauge({
      name: 'caravan_jobs',
      help: 'Jobs by name and state; none while Redis is away.',
      labels: ['job', 'state'],
      collect: async (gauge) => {
        gauge.reset();
        const counts = await jobs.counts().catch(() => ({}));
        for (const [job, states] of Object.entries(counts))
          for (const [state, count] of Object.entries(states)) gauge.set({ job, state }, count);
      },
    });
    return jobs;
  };
