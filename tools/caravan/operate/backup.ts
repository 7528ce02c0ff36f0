import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { serviceNames, topics } from '@caravan/contracts/events/topics';
import type { EndOffset } from '@caravan/messaging/kafka/kafka-port';
import type { PartitionOffset } from '@caravan/messaging/operator/kept-messages';
import { Client } from '@caravan/event-store/postgres/client';
import { z } from 'zod';
import { databaseOf, withKafka } from '../servers/databases.ts';
import { readRunFile, type RunFile, secretsOf } from '../servers/instance-files.ts';
import type { InstanceDir } from '../process/paths.ts';
import { postgresData } from '../servers/postgres.ts';
import { runTool } from '../process/programs.ts';
import { print, step, UserError } from '../process/terminal.ts';

export const manifestSchema = z.object({
  format: z.literal(1),
  /** The moment that it holds. */
  at: z.iso.datetime(),
  /** Of that moment, in PostgreSQL's log. */
  position: z.string(),
  /** On their way between services at that moment. */
  keptMessages: z.number().int(),
});

/** What a backup's folder holds. */
export const partsOf = (folder: string) => ({
  postgres: join(folder, 'postgres'),
  objects: join(folder, 's3'),
  /** What lies beside the data: that the demo is there, the mailbox, and what the simulated platforms know. */
  notes: join(folder, 'notes'),
  kept: join(folder, 'on-their-way.ndjson'),
  manifest: join(folder, 'manifest.json'),
});

/** Beside the folder, so that it can be kept elsewhere. */
export const keysFileOf = (folder: string): string => `${resolve(folder)}.keys.json`;

export const restorePoint = 'caravan backup';

/** Of the running instance: all databases at one moment, what was on its way between services, the objects. */
export async function backup(instanceDir: InstanceDir, name: string | undefined): Promise<number> {
  if (name === undefined) throw new UserError('Where to?', 'Name a folder: ./caravan backup ../caravan-2026-11-23');
  const folder = resolve(name);
  if (existsSync(folder)) throw new UserError(`${folder} is there already.`, 'Name a folder that is not there yet.');
  await writeBackup(instanceDir, folder);
  print(`The backup is ${folder}`);
  print(`Its keys are ${keysFileOf(folder)}: keep them elsewhere, nothing can be read without them`);
  return 0;
}

/** A backup that broke off has another name. */
export async function writeBackup(instanceDir: InstanceDir, folder: string): Promise<void> {
  const run = readRunFile(instanceDir);
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const parts = partsOf(partial);
  for (const part of [parts.postgres, parts.objects, parts.notes]) mkdirSync(part, { mode: 0o700 });
  try {
    const objects = () => copyLive(join(instanceDir.data, 's3'), parts.objects);
    // Before, for what is thrown away meanwhile, and after, for what comes.
    await step('The objects are copied', objects);
    const moment = await step('The databases are copied', () => copyDatabases(instanceDir, run, parts));
    await step('New objects are copied', objects);
    await copyNotes(instanceDir, parts.notes);
    writeFileSync(parts.manifest, `${JSON.stringify(manifestSchema.parse({ format: 1, ...moment }), null, 2)}\n`);
    writeFileSync(keysFileOf(folder), `${JSON.stringify(secretsOf(instanceDir), null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Kafka and Redis begin empty. */
const notNoted = new Set(['postgres', 's3', 'kafka', 'redis']);

async function copyNotes({ data }: InstanceDir, to: string): Promise<void> {
  for (const entry of readdirSync(data).filter((each) => !notNoted.has(each))) {
    if (statSync(join(data, entry)).isDirectory()) mkdirSync(join(to, entry));
    await copyLive(join(data, entry), join(to, entry));
  }
}

type Moment = { at: string; position: string; keptMessages: number };

/** By PostgreSQL's own online backup: files that change while they are copied are made whole by its log. */
async function copyDatabases(
  instanceDir: InstanceDir,
  run: RunFile,
  parts: ReturnType<typeof partsOf>,
): Promise<Moment> {
  const source = postgresData(instanceDir);
  const superuser = new URL(run.postgresOwner);
  superuser.username = 'postgres';
  superuser.password = secretsOf(instanceDir).postgres.superuser;
  superuser.pathname = '/postgres';
  const client = new Client({ connectionString: superuser.href });
  await client.connect();
  try {
    // Keeps the log from now on; it goes with this connection.
    await client.query(`select pg_create_physical_replication_slot('caravan_backup', true, true)`);
    const read = await positionsOf(run);
    await client.query(`select pg_backup_start('caravan', true)`);
    await copyLive(source, parts.postgres);
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    writeFileSync(join(parts.postgres, 'backup_label'), rows[0]?.label ?? '');
    const { ends, ...moment } = await atOneMoment(client, run);
    await client.query('select pg_switch_wal()');
    await copyLog(source, parts.postgres);
    return { ...moment, keptMessages: await keepMessages(run, { read, ends }, parts.kept) };
  } finally {
    await client.end();
  }
}

/** Live files may vanish while they are copied: then nobody needs them. Owners and attributes stay. */
async function copyLive(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const isFolder = statSync(from).isDirectory();
  const { signal } = new AbortController();
  try {
    await runTool('cp', ['-a', isFolder ? `${from}/.` : from, to], { signal, lastLines: 1_000_000 });
  } catch (error) {
    const [, ...lines] = (error instanceof Error ? error.message : '').split('\n');
    if (lines.length === 0 || lines.some((line) => !line.endsWith('No such file or directory'))) throw error;
  }
}

/** The log is copied last and whole; what belongs to the running server stays with it. */
async function copyLog(source: string, target: string): Promise<void> {
  const log = join(target, 'pg_wal');
  for (const gone of [log, join(target, 'postmaster.pid'), join(target, 'pg_replslot')])
    rmSync(gone, { recursive: true, force: true });
  for (const part of ['pg_wal', 'pg_logical']) {
    mkdirSync(join(target, part), { recursive: true, mode: 0o700 });
    // PostgreSQL writes a new file of the log under another name and renames it: that name may vanish.
    await copyLive(join(source, part), join(target, part));
  }
  mkdirSync(join(target, 'pg_replslot'), { mode: 0o700 });
}

const ownersOf = (run: RunFile) =>
  serviceNames.map((service) => new Client({ connectionString: `${run.postgresOwner}${databaseOf(service)}` }));

async function positionsOf(run: RunFile): Promise<PartitionOffset[]> {
  const { leastRead } = await import('@caravan/messaging/operator/kept-messages');
  const clients = ownersOf(run);
  try {
    const all = await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        return leastRead(client);
      }),
    );
    const least = new Map<string, PartitionOffset>();
    for (const one of all.flat()) {
      const name = `${one.topic}/${one.partition}`;
      if (one.offset < (least.get(name)?.offset ?? Infinity)) least.set(name, one);
    }
    return [...least.values()];
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/**
 * For a moment no fact comes into an outbox or leaves one, so each is in an outbox or in Kafka before `ends`. Commands
 * wait for as long; none is refused.
 */
async function atOneMoment(superuser: Client, run: RunFile) {
  const clients = ownersOf(run);
  try {
    for (const client of clients) {
      await client.connect();
      await client.query(`begin; set local lock_timeout = '3s'; lock table es.outbox in share row exclusive mode`);
    }
    const ends = await endsOf(run);
    const { rows } = await superuser.query<{ position: string }>('select pg_create_restore_point($1) as position', [
      restorePoint,
    ]);
    return { at: new Date().toISOString(), position: rows[0]?.position ?? '', ends };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const topicNames = Object.values(topics).map(({ name }) => name);
const endsOf = (run: RunFile): Promise<EndOffset[]> => withKafka(run.kafka, (kafka) => kafka.endOffsets(topicNames));

async function keepMessages(
  run: RunFile,
  { read, ends }: { read: readonly PartitionOffset[]; ends: readonly EndOffset[] },
  file: string,
): Promise<number> {
  const { readBetween } = await import('@caravan/messaging/operator/kept-messages');
  let count = 0;
  writeFileSync(file, '', { mode: 0o600 });
  await withKafka(run.kafka, (kafka) =>
    readBetween(kafka, read, ends, (messages) => {
      count += messages.length;
      appendFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    }),
  );
  return count;
}
