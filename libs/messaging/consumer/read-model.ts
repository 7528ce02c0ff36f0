import { randomBytes } from 'node:crypto';
import type { PublicEventContract } from '@caravan/contracts/events/envelope';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { BatchContext, Consumed, Group, Handlers } from './consumer.ts';
import type { EndOffset, TopicPartition } from '../kafka/kafka-port.ts';

/** Nothing that reaches further than rows. */
export type RowContext = Pick<BatchContext, 'tx' | 'group' | 'enqueueWrite'>;

type RowsOnly = {
  readonly group: string;
  readonly contract: PublicEventContract;
  write(event: Consumed, context: RowContext): unknown;
};

/** Rows that consumers write and that can be made again from what other services publish (ADR 0039). */
export type ReadModel = {
  readonly name: string;
  readonly tables: readonly string[];
  readonly groups: readonly string[];
  /** Facts on which the groups do more than write these rows. */
  readonly instead?: readonly RowsOnly[];
  /** SQL for what the service's commands wrote, run first and again at the switch; serving tables: `public.…`. */
  readonly own?: readonly string[];
};

export function rowsOnly<Contract extends PublicEventContract>(
  group: string,
  contract: Contract,
  write: (event: Consumed<Contract>, context: RowContext) => unknown,
): RowsOnly {
  return { group, contract, write: (event, context) => write(event as Consumed<Contract>, context) };
}

export type Replay = { readonly service: ServiceName; readonly topic: string };

export type RebuildStep =
  | { readonly name: string; readonly is: 'inline' }
  | { readonly name: string; readonly is: 'consumed'; readonly replays: readonly Replay[] };

export const everyReadModel = 'all';

export type Begun = { readonly id: string; readonly model: ReadModel };

export const newId = (): string => randomBytes(4).toString('hex');

export const schemaOf = ({ name }: Pick<ReadModel, 'name'>): string => `rebuild_${name.replaceAll(/[^a-z0-9]/g, '_')}`;

const groupOf = ({ id }: Begun, { name }: Group): string => `${name}.rebuild.${id}`;

const topicOf = ({ id, model }: Begun, owner: string, service: ServiceName): string =>
  `${topics[service].name}.replay.${owner}.${model.name}.${id}`;

export function replaysOf(begun: Begun, owner: string, groups: readonly Group[]): Replay[] {
  const services = new Set(groups.flatMap((group) => group.topics.map(({ service }) => service)));
  return [...services].map((service) => ({ service, topic: topicOf(begun, owner, service) }));
}

/** A group as a rebuild runs it: under a name of its own, with handlers that only write rows. */
export function rebuilding(begun: Begun, group: Group, from: 'live' | { readonly owner: string }): Group {
  return {
    name: groupOf(begun, group),
    topics: group.topics.map(({ name, service, handlers }) => ({
      name: from === 'live' ? name : topicOf(begun, from.owner, service),
      service,
      handlers: rowsOf(begun.model, group.name, handlers),
      // How far it has come is compared with the live one, message by message.
      isAwaited: true,
    })),
    // Nothing is appended, and whoever writes live rows is not to wait.
    locksKeys: false,
    isPrompt: true,
    follows: new Set(),
  };
}

const hasVersion = ({ version: now, earlier = [] }: PublicEventContract, version: number): boolean =>
  [now, ...earlier.map((one) => one.version)].includes(version);

function rowsOf({ instead = [] }: ReadModel, group: string, handlers: Handlers): Handlers {
  const without = { afterCommit: () => undefined };
  const each = [...handlers].map(([type, versions]) => {
    const own = [...versions].map(([version, handler]) => {
      const rows = instead.find(
        ({ contract, ...one }) => one.group === group && contract.type === type && hasVersion(contract, version),
      );
      const handle = async (event: Consumed, context: Parameters<typeof handler.handle>[1]): Promise<unknown> =>
        rows ? rows.write(event, { ...context, ...without }) : handler.handle(event, { ...context, ...without });
      return [version, { ...handler, handle }] as const;
    });
    return [type, new Map(own)] as const;
  });
  return new Map(each);
}

export async function progressOf(tx: Tx, group: string, partitions: readonly TopicPartition[]): Promise<EndOffset[]> {
  const { rows } = await tx.query<{ topic: string; partition: number; end: number }>(
    `select topic, partition_id as partition, next_offset as end from msg.progress_of($1, $2, $3)`,
    [group, partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)],
  );
  return partitions.map(({ topic, partition }) => {
    const found = rows.find((row) => row.topic === topic && row.partition === partition);
    return { topic, partition, end: found?.end ?? 0 };
  });
}

export const pollMs = 50;

export const isUpTo = (progress: readonly EndOffset[], wanted: readonly EndOffset[]): boolean =>
  wanted.every(({ end }, nth) => (progress[nth]?.end ?? 0) >= end);

/** What tells the tables of a read model apart from what they were before a migration. */
export async function shapeOf(tx: Tx, tables: readonly string[]): Promise<string> {
  const { rows } = await tx.query<{ shape: string | null }>(
    `with own as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relname = any($1))
     select md5(string_agg(line, ';' order by line)) as shape from (
       select own.relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' ||
         coalesce(pg_get_expr(adbin, adrelid), '') as line
       from own join pg_attribute a on attrelid = own.oid and attnum > 0 and not attisdropped
       left join pg_attrdef d on d.adrelid = own.oid and d.adnum = a.attnum
       union all select pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
       union all select pg_get_triggerdef(t.oid) from own join pg_trigger t on tgrelid = own.oid and not tgisinternal
       union all select relname || ' ' || conname || ' ' || pg_get_constraintdef(c.oid)
         from own join pg_constraint c on conrelid = own.oid
     ) lines`,
    [tables],
  );
  return rows[0]?.shape ?? '';
}
