import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { createPool, withSystem } from '@caravan/event-store/postgres';
import { rebuild } from '@caravan/event-store/rebuild';
import type { AnyKind } from '@caravan/event-store/replay';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { Pool } from '@caravan/service-kit/pool';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { KafkaBatchServer } from './kafka-batch-server.ts';
import { redrive } from './redrive.ts';
import { sendBack } from './refused.ts';

/** What an operator's command needs to know of a service. */
export type AdminCommandContext = {
  readonly env: Pick<ServiceEnv, 'SERVICE_NAME' | 'MIGRATION_DATABASE_URL'>;
  /** Must import `ServiceKitModule` and `MessagingModule`. */
  readonly module: DynamicModule;
  /** Whose projections can be rebuilt. */
  readonly kinds: readonly AnyKind[];
  /** Commands of the service's own; true when the command line names one, and that is done. */
  readonly handle?: (args: readonly string[]) => Promise<boolean>;
};

type Print = (line: string) => void;
type ParkedKey = { group: string; key: string; messages: number; code: string; reason: string };

const printToTerminal: Print = (line) => void process.stdout.write(`${line}\n`);

/**
 * Handles `--rebuild PROJECTION`, `--redrive`, `--begin-epoch` and the service's own commands, beside the running service. Answers the exit
 * code, or undefined when the command line names none: then the service is to be started.
 */
export async function runAdminCommand(
  args: readonly string[],
  context: AdminCommandContext,
  print: Print = printToTerminal,
): Promise<number | undefined> {
  // Not strict: a service may have commands of its own.
  const { values } = parseArgs({ args: [...args], options: { rebuild: { type: 'string' } }, strict: false });
  try {
    if (values['rebuild'] !== undefined) return await rebuildNamed(String(values['rebuild']), context, print);
    if (values['begin-epoch'] !== undefined) return await beginEpoch(context, print);
    if (values['redrive'] !== undefined) return await redriveAll(context, print);
    return (await context.handle?.(args)) === true ? 0 : undefined;
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return 1;
  }
}

async function rebuildNamed(name: string, { env, kinds }: AdminCommandContext, print: Print): Promise<number> {
  const projections = new Map(kinds.flatMap((kind) => kind.projections.map((each) => [each.name, each] as const)));
  const projection = projections.get(name);
  if (!projection) {
    const known = [...projections.keys()].toSorted().join(', ') || 'none';
    print(`${env.SERVICE_NAME} has no projection ${name}. It has: ${known}`);
    return 1;
  }
  if (env.MIGRATION_DATABASE_URL === undefined) throw new Error('MIGRATION_DATABASE_URL is not set');
  const done = await rebuild({ databaseUrl: env.MIGRATION_DATABASE_URL, projection, kinds });
  print(`Rebuilt ${name}: ${done.events} events replayed, generation ${done.generation}`);
  return 0;
}

/** After a restore: what the log publishes from now on is news, although it uses positions again. */
async function beginEpoch({ env }: AdminCommandContext, print: Print): Promise<number> {
  if (env.MIGRATION_DATABASE_URL === undefined) throw new Error('MIGRATION_DATABASE_URL is not set');
  const pool = createPool(env.MIGRATION_DATABASE_URL, { max: 1 });
  try {
    const { rows } = await pool.query<{ epoch: number }>('select es.begin_epoch() as epoch');
    print(`${env.SERVICE_NAME}: epoch ${rows[0]?.epoch} has begun`);
    return 0;
  } finally {
    await pool.end();
  }
}

async function redriveAll({ env, module }: AdminCommandContext, print: Print): Promise<number> {
  const app = await NestFactory.create(module, new FastifyAdapter(), { abortOnError: false, logger: false });
  try {
    // Connected and never started: the handlers are there, and the running service keeps its partitions.
    app.connectMicroservice({ strategy: app.get(KafkaBatchServer) });
    await app.init();
    const sentBack = await withSystem(app.get<Pool>(Pool), sendBack);
    if (sentBack > 0) print(`${env.SERVICE_NAME}: ${sentBack} messages that Kafka had refused are sent again`);
    const applied = await redriveKeys(app, print);
    const stillParked = await parked(app.get<Pool>(Pool));
    print(`${env.SERVICE_NAME}: ${applied} messages redriven, ${stillParked.length} keys still parked`);
    for (const { group, key, messages, code, reason } of stillParked) {
      print(`  ${group} ${key}: ${messages} messages, the first because of ${code}: ${reason}`);
    }
    return stillParked.length === 0 ? 0 : 1;
  } finally {
    await app.close();
  }
}

/** Key by key, so that one that cannot be applied yet does not hold the others up. */
async function redriveKeys(app: INestApplicationContext, print: Print): Promise<number> {
  const pool = app.get<Pool>(Pool);
  const { groups } = app.get(KafkaBatchServer);
  let applied = 0;
  for (const { group, key } of await parked(pool)) {
    try {
      applied += (await redrive({ pool, groups, group, key })).applied;
    } catch (error) {
      print(`  ${group} ${key}: ${String(error)}`);
    }
  }
  return applied;
}

async function parked(pool: Pool): Promise<ParkedKey[]> {
  const { rows } = await pool.query<ParkedKey>(
    `select consumer_group as group, key, count(*)::int as messages,
       (array_agg(error_code order by parked_id))[1] as code, (array_agg(error_message order by parked_id))[1] as reason
     from msg.parked group by 1, 2 order by min(parked_id)`,
  );
  return rows;
}
