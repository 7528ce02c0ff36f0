import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { createPatientPool, withSystem } from '@caravan/event-store/postgres/connections';
import type { PublicHistory } from '@caravan/event-store/rebuild/public-history';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import type { AfterReplay, AnyKind, AnyProjection } from '@caravan/event-store/rebuild/rebuild';
import type { ServiceEnv } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterRestore } from './after-restore.ts';
import { KafkaBatchServer } from '../consumer/kafka-batch-server.ts';
import type { Kafka } from '../kafka/kafka-port.ts';
import { createKafka } from '../kafka/kafka.ts';
import { KafkaClient, type KafkaEnv, kafkaOf } from '../kafka/kafka-client.ts';
import { requeueRefused } from '../relay/outbox.ts';
import { everyReadModel, type ReadModel, type RebuildStep } from '../consumer/read-model.ts';
import { beginRebuild, finishRebuild, type RebuildTools } from './rebuild-read-model.ts';
import { redrive } from './redrive.ts';
import { republish } from '../relay/republish.ts';

type Print = (line: string) => void;

/** What an operator's command needs to know of a service; `module` imports `ServiceKitModule` and `MessagingModule`. */
export type AdminCommandContext = {
  readonly env: Pick<ServiceEnv, 'MIGRATION_DATABASE_URL'> & KafkaEnv;
  readonly module: DynamicModule;
  readonly kinds: readonly AnyKind[];
  /** By projection. */
  readonly afterReplay?: Readonly<Record<string, AfterReplay>>;
  readonly readModels?: readonly ReadModel[];
  readonly history?: readonly PublicHistory[];
  /** True when the command line names one of the service's own, and that is done. */
  readonly handle?: (args: readonly string[]) => Promise<boolean>;
};

const rebuildCommands = {
  rebuild: rebuildInline,
  'begin-rebuild': beginNamed,
  republish: republishTo,
  'finish-rebuild': finishNamed,
  'after-restore': takeUpAfterRestore,
} as const;
const options = Object.fromEntries(Object.keys(rebuildCommands).map((name) => [name, { type: 'string' as const }]));

type ParkedKey = { group: string; key: string; messages: number; code: string; reason: string };

const printToTerminal: Print = (line) => void process.stdout.write(`${line}\n`);

/** Runs an operator's command beside the running service. Answers its exit code, or undefined when none is named. */
export async function runAdminCommand(
  args: readonly string[],
  context: AdminCommandContext,
  print: Print = printToTerminal,
): Promise<number | undefined> {
  const { values } = parseArgs({ args: [...args], options, strict: false });
  try {
    for (const [name, run] of Object.entries(rebuildCommands))
      if (values[name] !== undefined) return await run(String(values[name]), context, print);
    if (values['begin-epoch'] !== undefined) return await beginEpoch(context, print);
    if (values['redrive'] !== undefined) return await redriveAll(context, print);
    return (await context.handle?.(args)) === true ? 0 : undefined;
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return 1;
  }
}

/** After a restore: what the log publishes from now on is news, although it uses positions again. */
async function beginEpoch({ env }: AdminCommandContext, print: Print): Promise<number> {
  const pool = createPatientPool(ownerOf({ env }), { max: 1 });
  try {
    const { rows } = await pool.query<{ epoch: number }>('select es.begin_epoch() as epoch');
    print(`${env.SERVICE_NAME}: epoch ${rows[0]?.epoch} has begun`);
    return 0;
  } finally {
    await pool.end();
  }
}

function redriveAll({ env, module }: AdminCommandContext, print: Print): Promise<number> {
  return withConsumers(module, async (app) => {
    const sentBack = await withSystem(app.get<Pool>(Pool), requeueRefused);
    if (sentBack > 0) print(`${env.SERVICE_NAME}: ${sentBack} messages that Kafka had refused are sent again`);
    const applied = await redriveKeys(app, print);
    const stillParked = await parkedKeysOf(app.get<Pool>(Pool));
    print(`${env.SERVICE_NAME}: ${applied} messages redriven, ${stillParked.length} keys still parked`);
    for (const { group, key, messages, code, reason } of stillParked) {
      print(`  ${group} ${key}: ${messages} messages, the first because of ${code}: ${reason}`);
    }
    return stillParked.length === 0 ? 0 : 1;
  });
}

/** Key by key, so that one that cannot be applied yet does not hold the others up. */
async function redriveKeys(app: INestApplicationContext, print: Print): Promise<number> {
  const pool = app.get<Pool>(Pool);
  const { groups } = app.get(KafkaBatchServer);
  let applied = 0;
  for (const { group, key } of await parkedKeysOf(pool)) {
    try {
      applied += (await redrive({ pool, groups, group, key })).applied;
    } catch (error) {
      print(`  ${group} ${key}: ${String(error)}`);
    }
  }
  return applied;
}

async function parkedKeysOf(pool: Pool): Promise<ParkedKey[]> {
  const { rows } = await pool.query<ParkedKey>(
    `select consumer_group as group, key, count(*)::int as messages,
       (array_agg(error_code order by parked_id))[1] as code, (array_agg(error_message order by parked_id))[1] as reason
     from msg.parked group by 1, 2 order by min(parked_id)`,
  );
  return rows;
}

const projectionsOf = ({ kinds }: AdminCommandContext): Map<string, AnyProjection> =>
  new Map(kinds.flatMap((kind) => kind.projections.map((each) => [each.name, each] as const)));

async function rebuildInline(name: string, context: AdminCommandContext, print: Print): Promise<number> {
  const projection = projectionsOf(context).get(name);
  if (!projection) return unknown(name, context, print);
  const { kinds, afterReplay } = context;
  const done = await rebuild({ databaseUrl: ownerOf(context), projection, kinds, afterReplay });
  print(`Rebuilt ${name}: ${done.events} events replayed, generation ${done.generation}`);
  return 0;
}

async function beginNamed(name: string, context: AdminCommandContext, print: Print): Promise<number> {
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

async function republishTo(topic: string, context: AdminCommandContext, print: Print): Promise<number> {
  const { SERVICE_NAME: service } = context.env;
  const kafka = createKafka(kafkaOf(context.env), silent);
  try {
    const history = context.history ?? [];
    const { messages } = await republish({ service, databaseUrl: ownerOf(context), history, kafka, topic });
    print(`${service}: ${messages} facts published again`);
    return 0;
  } finally {
    await kafka.close();
  }
}

/** `all`: nothing was kept of what was on its way, so the whole history is told again. */
async function takeUpAfterRestore(kept: string, context: AdminCommandContext, print: Print): Promise<number> {
  const { SERVICE_NAME: service } = context.env;
  const kafka = createKafka(kafkaOf(context.env), silent);
  try {
    const { epoch, messages } = await afterRestore({
      service,
      databaseUrl: ownerOf(context),
      history: context.history ?? [],
      kafka,
      keptFile: kept === 'all' ? undefined : kept,
      mostPartitions: context.env.TOPIC_PARTITIONS_MAX,
    });
    print(`${service}: epoch ${epoch} has begun, ${messages} facts are on their way again`);
    return 0;
  } finally {
    await kafka.close();
  }
}

async function finishNamed(name: string, context: AdminCommandContext, print: Print): Promise<number> {
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
    const kafka = app.get<Kafka>(KafkaClient);
    const log = app.get<Log>(Log);
    return work({ service: context.env.SERVICE_NAME, databaseUrl: ownerOf(context), kafka, log, groups });
  });
}

function ownerOf({ env }: Pick<AdminCommandContext, 'env'>): string {
  if (env.MIGRATION_DATABASE_URL === undefined) throw new Error('MIGRATION_DATABASE_URL is not set');
  return env.MIGRATION_DATABASE_URL;
}

/** Connected and never started: the handlers are there, and the running service keeps its partitions. */
async function withConsumers<Result>(
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
