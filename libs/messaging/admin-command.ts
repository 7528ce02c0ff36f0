import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { createPool, withSystem } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import type { INestApplicationContext } from '@nestjs/common';
import type { AdminCommandContext, Print } from './admin-context.ts';
import { KafkaBatchServer } from './kafka-batch-server.ts';
import { beginNamed, finishNamed, rebuildInline, republishTo, withConsumers } from './rebuild-command.ts';
import { redrive } from './redrive.ts';
import { sendBack } from './refused.ts';

const rebuildCommands = {
  rebuild: rebuildInline,
  'begin-rebuild': beginNamed,
  republish: republishTo,
  'finish-rebuild': finishNamed,
} as const;
const options = Object.fromEntries(Object.keys(rebuildCommands).map((name) => [name, { type: 'string' as const }]));

type ParkedKey = { group: string; key: string; messages: number; code: string; reason: string };

const printToTerminal: Print = (line) => void process.stdout.write(`${line}\n`);

/**
 * Handles `--rebuild NAME`, `--begin-rebuild NAME`, `--republish TOPIC`, `--finish-rebuild NAME`, `--redrive`,
 * `--begin-epoch` and the service's own commands, beside the running service. Answers the exit code, or undefined when the
 * command line names none: then the service is to be started.
 */
export async function runAdminCommand(
  args: readonly string[],
  context: AdminCommandContext,
  print: Print = printToTerminal,
): Promise<number | undefined> {
  // Not strict: a service may have commands of its own.
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

function redriveAll({ env, module }: AdminCommandContext, print: Print): Promise<number> {
  return withConsumers(module, async (app) => {
    const sentBack = await withSystem(app.get<Pool>(Pool), sendBack);
    if (sentBack > 0) print(`${env.SERVICE_NAME}: ${sentBack} messages that Kafka had refused are sent again`);
    const applied = await redriveKeys(app, print);
    const stillParked = await parked(app.get<Pool>(Pool));
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
