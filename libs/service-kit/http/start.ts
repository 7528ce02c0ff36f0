import 'reflect-metadata';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { endingOf, endInOrder } from '../process/ending.ts';
import { Health } from './health.controller.ts';
import type { ServiceEnv } from '../process/env.ts';
import { fastifyOptions, prepareHttp } from './http.ts';
import { giveIdleMemoryBack } from '../process/idle-memory.ts';
import { createLog, Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';
import { ProblemFilter } from './problem.filter.ts';
import { ServiceCredential } from './service-credential.ts';
import { startTracing } from '../telemetry/tracing.ts';

type Strategy = CustomTransportStrategy;

export type StartOptions = {
  readonly name: string;
  readonly env: Pick<
    ServiceEnv,
    'PORT' | 'HOST' | 'LOG_LEVEL' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'SERVICE_CREDENTIAL' | 'METRICS_PORT'
  >;
  /** Must import `ServiceKitModule.forRoot(env)`. */
  readonly module: Type | DynamicModule;
  readonly strategy?: Strategy | Type<Strategy> | symbol;
};

export type RunningService = {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** Says that it is not ready, and answers until its callers have left. Before `close`, where others take over. */
  leave: () => Promise<void>;
  close: () => Promise<void>;
};

/** SIGTERM and SIGINT end it in order, a failed start ends the process with code 1. */
export async function start(options: StartOptions): Promise<RunningService> {
  const log = createLog({ service: options.name, level: options.env.LOG_LEVEL });
  try {
    const service = await boot(options);
    endInOrder(service, log);
    giveIdleMemoryBack();
    log.info({ url: service.url }, 'serving');
    return service;
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

export async function boot({ name, env, module, strategy }: StartOptions): Promise<RunningService> {
  const tracing = await startTracing(name, env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const log = createLog({ service: name, level: env.LOG_LEVEL });
  const adapter = new FastifyAdapter({ ...fastifyOptions(log), skipMiddie: true });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLog(log),
  });
  const fastify: FastifyInstance = adapter.getInstance();
  const health = app.get(Health);
  const credential = new ServiceCredential(env.SERVICE_CREDENTIAL);
  const ending = endingOf(fastify);
  let metrics: MetricsServer | undefined;
  const leave = async () => {
    health.enter('stopping');
    await ending.leave();
  };
  const close = async () => {
    health.enter('stopping');
    await ending.drain();
    await app.close();
    metrics?.close();
    await tracing.close();
  };
  try {
    metrics = await serveFigures(app, env);
    prepareHttp(fastify, { metrics: app.get(Metrics), health, credential, hasMetrics: !metrics });
    app.useGlobalFilters(new ProblemFilter(app.get<Log>(Log)));
    if (strategy !== undefined) app.connectMicroservice({ strategy: resolveStrategy(app, strategy) });
    await app.listen(env.PORT, env.HOST);
    // Consumers last: without Kafka the service answers requests and says that it is not ready.
    await app.startAllMicroservices();
  } catch (error) {
    await close().catch((closing: unknown) => log.warn({ err: closing }, 'did not close in order'));
    throw error;
  }
  health.enter('running');
  let closing: Promise<void> | undefined;
  return { app, url: await app.getUrl(), leave, close: () => (closing ??= close()) };
}

async function serveFigures(
  app: NestFastifyApplication,
  { METRICS_PORT: port, HOST: host }: StartOptions['env'],
): Promise<MetricsServer | undefined> {
  return port === undefined ? undefined : serveMetrics(app.get(Metrics), { host, port });
}

function resolveStrategy(app: NestFastifyApplication, strategy: NonNullable<StartOptions['strategy']>): Strategy {
  return typeof strategy === 'object' ? strategy : app.get<Strategy>(strategy);
}

function nestLog(log: Log): LoggerService {
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) =>
      log[level]({ nest: rest.filter((part) => typeof part === 'string') }, String(message));
  return {
    log: write('debug'),
    debug: write('debug'),
    verbose: write('debug'),
    warn: write('warn'),
    error: write('error'),
  };
}
