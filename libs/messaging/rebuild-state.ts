import { randomBytes } from 'node:crypto';
import { type ServiceName, topics } from '@caravan/contracts/topics';
import type { Tx } from '@caravan/event-store/event-store';
import type { Consumed } from './consumer.ts';
import type { Group, Handlers } from './groups.ts';
import type { EndOffset, TopicPartition } from './kafka-port.ts';
import type { ReadModel } from './read-model.ts';
import type { Replay } from './rebuild-steps.ts';

/** A rebuild that has begun: where its generation lies and what its topics and groups are called. */
export type Begun = { readonly id: string; readonly model: ReadModel };

export const newId = (): string => randomBytes(4).toString('hex');

/** The schema of the generation. */
export const schemaOf = ({ name }: Pick<ReadModel, 'name'>): string => `rebuild_${name.replaceAll(/[^a-z0-9]/g, '_')}`;

const groupOf = ({ id }: Begun, { name }: Group): string => `${name}.rebuild.${id}`;

const topicOf = ({ id, model }: Begun, owner: string, service: ServiceName): string =>
  `${topics[service].name}.replay.${owner}.${model.name}.${id}`;

/** What has to be published again for a rebuild in the service `owner`. */
export function replaysOf(begun: Begun, owner: string, groups: readonly Group[]): Replay[] {
  const services = new Set(groups.flatMap((group) => group.topics.map(({ service }) => service)));
  return [...services].map((service) => ({ service, topic: topicOf(begun, owner, service) }));
}

/**
 * A group as a rebuild runs it: under a name of its own, from the live topics or from those of the replay, with handlers
 * that write rows and have no effect after that.
 */
export function rebuilding(begun: Begun, group: Group, from: 'live' | { readonly owner: string }): Group {
  return {
    name: groupOf(begun, group),
    topics: group.topics.map(({ name, service, handlers }) => ({
      name: from === 'live' ? name : topicOf(begun, from.owner, service),
      service,
      handlers: rowsOf(begun.model, group.name, handlers),
    })),
    // Nothing is appended, and whoever writes live rows is not to wait.
    locksKeys: false,
    follows: new Set(),
  };
}

function rowsOf({ instead = [] }: ReadModel, group: string, handlers: Handlers): Handlers {
  const without = { afterCommit: () => undefined };
  const each = [...handlers].map(([type, versions]) => {
    const own = [...versions].map(([version, handler]) => {
      const rows = instead.find(
        ({ contract, ...one }) => one.group === group && contract.type === type && contract.version === version,
      );
      const handle = async (event: Consumed, context: Parameters<typeof handler.handle>[1]): Promise<unknown> =>
        rows ? rows.write(event, { ...context, ...without }) : handler.handle(event, { ...context, ...without });
      return [version, { ...handler, handle }] as const;
    });
    return [type, new Map(own)] as const;
  });
  return new Map(each);
}

/** Where a group goes on, of these partitions; 0 where it has not begun. */
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
       union all select relname || ' ' || conname || ' ' || pg_get_constraintdef(c.oid)
         from own join pg_constraint c on conrelid = own.oid
     ) lines`,
    [tables],
  );
  return rows[0]?.shape ?? '';
}
