import { rebuild } from '@caravan/event-store/rebuild';
import type { AnyProjection } from '@caravan/event-store/replay';
import { Log } from '@caravan/service-kit/log';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AdminCommandContext, Print } from './admin-context.ts';
import { KafkaBatchServer } from './kafka-batch-server.ts';
import type { Kafka } from './kafka-port.ts';
import { createKafka } from './kafka.ts';
import { KafkaClient } from './messaging.module.ts';
import { beginRebuild, finishRebuild, type RebuildTools } from './rebuild-read-model.ts';
import { everyReadModel, type RebuildStep } from './rebuild-steps.ts';
import { republish } from './republish.ts';

const projectionsOf = ({ kinds }: AdminCommandContext): Map<string, AnyProjection> =>
  new Map(kinds.flatMap((kind) => kind.projections.map((each) => [each.name, each] as const)));

function ownerOf({ env }: AdminCommandContext): string {
  if (env.MIGRATION_DATABASE_URL === undefined) throw new Error('MIGRATION_DATABASE_URL is not set');
  return env.MIGRATION_DATABASE_URL;
}

/** Handles `--rebuild NAME`: a projection of the service's own log. */
export async function rebuildInline(name: string, context: AdminCommandContext, print: Print): Promise<number> {
  const projection = projectionsOf(context).get(name);
  if (!projection) return unknown(name, context, print);
  const done = await rebuild({ databaseUrl: ownerOf(context), projection, kinds: context.kinds });
  print(`Rebuilt ${name}: ${done.events} events replayed, generation ${done.generation}`);
  return 0;
}

/** Handles `--begin-rebuild NAME`: begins what consumers wrote, or finds it begun, and tells as JSON what is to be done. */
export async function beginNamed(name: string, context: AdminCommandContext, print: Print): Promise<number> {
  const isWanted = (one: { readonly name: string }) => name === everyReadModel || one.name === name;
  const inline = [...projectionsOf(context).values()].filter(isWanted);
  const consumed = (context.readModels ?? []).filter(isWanted);
  if (inline.length + consumed.length === 0 && name !== everyReadModel) return unknown(name, context, print);
  const steps: RebuildStep[] = inline.map((one) => ({ name: one.name, is: 'inline' }));
  if (consumed.length > 0) {
    await withTools(context, async (tools) => {
      for (const model of consumed)
        steps.push({ name: model.name, is: 'consumed', replays: await beginRebuild(tools, model) });
    });
  }
  print(JSON.stringify(steps));
  return 0;
}

/** Handles `--republish TOPIC`: the service's history for the rebuild that the topic is named for. */
export async function republishTo(topic: string, context: AdminCommandContext, print: Print): Promise<number> {
  const { SERVICE_NAME: service, KAFKA_BROKERS: brokers, TOPIC_PREFIX: prefix } = context.env;
  const kafka = createKafka({ clientId: service, brokers, prefix }, silent);
  try {
    const history = context.history ?? [];
    const { messages } = await republish({ service, databaseUrl: ownerOf(context), history, kafka, topic });
    print(`${service}: ${messages} facts published again`);
    return 0;
  } finally {
    await kafka.close();
  }
}

/** Handles `--finish-rebuild NAME`: fills what was begun, and switches to it. */
export async function finishNamed(name: string, context: AdminCommandContext, print: Print): Promise<number> {
  const model = (context.readModels ?? []).find((one) => one.name === name);
  if (!model) return unknown(name, context, print);
  const { messages, generation } = await withTools(context, (tools) => finishRebuild(tools, model));
  print(`Rebuilt ${name}: ${messages} facts replayed, generation ${generation}`);
  return 0;
}

function unknown(name: string, context: AdminCommandContext, print: Print): number {
  const names = [...projectionsOf(context).keys(), ...(context.readModels ?? []).map((model) => model.name)];
  print(`${context.env.SERVICE_NAME} has no read model ${name}. It has: ${names.toSorted().join(', ') || 'none'}`);
  return 1;
}

const silently = () => undefined;
const silent = { debug: silently, info: silently, warn: silently, error: silently };

function withTools<Result>(
  context: AdminCommandContext,
  work: (tools: RebuildTools) => Promise<Result>,
): Promise<Result> {
  return withConsumers(context.module, (app) => {
    const { groups } = app.get(KafkaBatchServer);
    const [kafka, log] = [app.get<Kafka>(KafkaClient), app.get<Log>(Log)];
    return work({ service: context.env.SERVICE_NAME, databaseUrl: ownerOf(context), kafka, log, groups });
  });
}

/** Connected and never started: the handlers are there, and the running service keeps its partitions. */
export async function withConsumers<Result>(
  module: DynamicModule,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.create(module, new FastifyAdapter(), { abortOnError: false, logger: false });
  try {
    app.connectMicroservice({ strategy: app.get(KafkaBatchServer) });
    await app.init();
    return await work(app);
  } finally {
    await app.close();
  }
}
