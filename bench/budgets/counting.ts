import { type AllServices, watcher } from '@caravan/check-invariants/all-services';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import type { Kafka } from '@caravan/messaging/kafka/kafka-port';
import { KafkaClient } from '@caravan/messaging/kafka/kafka-client';
import { Redis } from '@caravan/service-kit/storage/redis';
import { testServers } from '@caravan/service-kit/testing/servers';
import { Client } from '@caravan/event-store/postgres/client';
import pg from 'pg';
import { z } from 'zod';

/** What acts cost, counted and not timed: the same on every machine, whatever else it does. */
export type Cost = {
  /**
   * Rows of our tables that were inserted, updated or deleted. A consumer's own record of its batches is not among them:
   * a busy machine makes more batches of the same messages.
   */
  readonly rows: number;
  /** What PostgreSQL wrote ahead for them and their indexes, without images of whole pages. */
  readonly walBytes: number;
  /** Messages on topics. */
  readonly facts: number;
  /** Messages to PostgreSQL, each with the statements of a turn; sweeps that come round meanwhile count too. */
  readonly messages: number;
  /** To Redis, of jobs too; those of sweeps count as well. */
  readonly commands: number;
};

/** Rows written, by `service table`. */
export type RowsByTable = Readonly<Record<string, number>>;

type Counted = pg.Client & { readonly connectionParameters: { readonly application_name?: string } };

type Doer<Name extends string> = Record<Name, (...args: unknown[]) => unknown>;

/** The next prototype above that has it of its own. */
function doerOf<Name extends string>(client: object, name: Name): Doer<Name> {
  const above = Object.getPrototypeOf(client) as object;
  return Object.hasOwn(above, name) ? (above as Doer<Name>) : doerOf(above, name);
}

/** Notes everything of this process that goes to PostgreSQL and to Redis from here on. */
function listenIn(redis: object) {
  const noted = { messages: 0, commands: 0 };
  const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  Object.assign(pg.Client.prototype, {
    query(this: Counted, ...args: unknown[]) {
      if (this.connectionParameters.application_name !== watcher) noted.messages += 1;
      return query.apply(this, args);
    },
  });
  // Above ours is that of jobs, too.
  const client = doerOf(Object.getPrototypeOf(redis) as object, 'sendCommand');
  const { sendCommand } = client;
  client.sendCommand = function (this: object, ...args: unknown[]) {
    noted.commands += 1;
    return sendCommand.apply(this, args);
  };
  return noted;
}

const isOfBatches = / msg\.(progress|offsets)$/;

const writtenSchema = z.array(z.object({ table: z.string(), rows: z.number(), walBytes: z.number() }));

/** Records of the write-ahead log that touch tables and indexes of ours in this database. */
const writtenSql = String.raw`
  with ours as (
    select pg_relation_filenode(c.oid) as node, relkind = 'r' as is_table,
      n.nspname || '.' || coalesce((select t.relname from pg_index i join pg_class t on t.oid = i.indrelid
        where i.indexrelid = c.oid), relname) as name
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('public', 'es', 'msg', 'audit') and relkind in ('r', 'i')
  ), records as (
    select start_lsn, resource_manager as manager, record_type as type, max(record_length) as length,
      sum(block_fpi_length) as images, bool_or(is_table) as is_table, max(name) as name, max(description) as said
    from pg_get_wal_block_info($1, $2, false) b join ours on ours.node = b.relfilenode
    where reldatabase = (select oid from pg_database where datname = current_database())
    group by 1, 2, 3
  )
  select name as table, sum(length - images)::int as wal_bytes, sum(case
      when not is_table then 0
      when manager = 'Heap' and type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE)' then 1
      when manager = 'Heap2' and type ~ '^MULTI_INSERT' then substring(said from 'ntuples: (\d+)')::int
      else 0 end)::int as rows
  from records group by 1`;

type Database = { readonly service: ServiceName; readonly client: Client };

async function openDatabase({ services }: AllServices, service: ServiceName): Promise<Database> {
  const url = new URL(testServers().postgresAdmin);
  url.pathname = new URL(services[service].ownerUrl).pathname;
  url.searchParams.set('application_name', watcher);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query('create extension if not exists pg_walinspect');
  return { service, client };
}

async function writtenBetween({ service, client }: Database, from: string, until: string) {
  const { rows } = await client.query(writtenSql, [from, until]);
  return writtenSchema.parse(rows).map((one) => ({ ...one, table: `${service} ${one.table.replace('public.', '')}` }));
}

/** `of` counts what a piece of work costs, with all that follows it in every service. */
export async function counting(product: AllServices) {
  const { app } = product.services.identity;
  const noted = listenIn(app.get<object>(Redis));
  const databases = await Promise.all(serviceNames.map((service) => openDatabase(product, service)));
  const [keeper] = databases.map(({ client }) => client);
  const kafka = app.get<Kafka>(KafkaClient);
  const end = async (): Promise<{ lsn: string; facts: number }> => {
    const asked = await keeper?.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn');
    const ends = await kafka.endOffsets(Object.values(topics).map(({ name }) => name));
    return { lsn: asked?.rows[0]?.lsn ?? '', facts: ends.reduce((sum, partition) => sum + partition.end, 0) };
  };
  const of = async (work: () => Promise<unknown>): Promise<{ cost: Cost; tables: RowsByTable }> => {
    await product.idle();
    // Other suites write, too: without it the server may remove what is counted below.
    await keeper?.query(`select pg_create_physical_replication_slot('counting', true, true)`);
    const from = await end();
    const before = { ...noted };
    await work();
    await product.idle();
    const after = { ...noted };
    const until = await end();
    const written = (await Promise.all(databases.map((one) => writtenBetween(one, from.lsn, until.lsn)))).flat();
    await keeper?.query(`select pg_drop_replication_slot('counting')`);
    const sum = (of: typeof written, what: 'rows' | 'walBytes') => of.reduce((total, one) => total + one[what], 0);
    const cost = {
      rows: sum(
        written.filter(({ table }) => !isOfBatches.test(table)),
        'rows',
      ),
      walBytes: sum(written, 'walBytes'),
      facts: until.facts - from.facts,
      messages: after.messages - before.messages,
      commands: after.commands - before.commands,
    };
    return { cost, tables: Object.fromEntries(written.map(({ table, rows }) => [table, rows])) };
  };
  return { of, close: () => Promise.all(databases.map(({ client }) => client.end())) };
}
