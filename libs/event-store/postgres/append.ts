import type { DomainEvent } from '../core/decider.ts';
import type { CommandMeta, Tx } from '../core/event-store.ts';
import type { OpenTransaction } from './open-transaction.ts';
import type { OutgoingEvent } from '../core/public-events.ts';
import { type Draft, schemaVersion } from '../core/stream.ts';

export type Append = {
  readonly meta: CommandMeta;
  readonly category: string;
  readonly streamId: string;
  readonly version: number;
  readonly drafts: readonly Draft<DomainEvent>[];
};

/** Positions of an append's events and their epoch; null when the stream had another version. */
export type Appended = { readonly epoch: number; readonly positions: readonly number[] } | null;

const appendOne = `
  select es.append_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as position,
    (select max(epoch) from es.epochs) as epoch`;

const appendSome = `
  select es.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) as positions,
    (select max(epoch) from es.epochs) as epoch`;

const appendMany = `
  select event_id as id, pos, (select max(epoch) from es.epochs) as epoch from es.append_together($1, $2)`;

export async function appendAlone(tx: Tx, one: Append): Promise<Appended> {
  const { drafts } = one;
  const stream = streamOf(one);
  const [draft, another] = drafts;
  if (draft && !another) {
    const { rows } = await tx.query<AppendedOne>(appendOne, [...stream, ...draftOf(draft), false]);
    return placeOf(rows);
  }
  const outgoing = drafts.map((one) => publicOf(one.outgoing));
  const { rows } = await tx.query<{ positions: string[] | null; epoch: number }>(appendSome, [
    ...stream,
    drafts.map(({ event }) => event.eventId),
    drafts.map(({ event }) => event.type),
    drafts.map(() => schemaVersion),
    drafts.map(({ json }) => json),
    ...[0, 1, 2].map((column) => outgoing.map((values) => values[column])),
  ]);
  const [{ positions, epoch } = { positions: null, epoch: 0 }] = rows;
  return positions && { epoch, positions: positions.map(Number) };
}

/** Appends one event. The transaction can go on, and commit, before the answer; another version than expected fails it. */
export async function appendUnread(tx: OpenTransaction, one: Append): Promise<Appended> {
  const [draft] = one.drafts;
  if (!draft) return null;
  const { rows } = await tx.send<AppendedOne>(appendOne, [...streamOf(one), ...draftOf(draft), true]);
  return placeOf(rows);
}

type AppendedOne = { position: number | null; epoch: number };

const streamOf = ({ meta, category, streamId, version }: Append): unknown[] => [
  meta.orgId,
  streamId,
  category,
  meta.key.id,
  version,
  meta.actorId,
  meta.at,
  metaOf(meta),
];

const draftOf = ({ event, json, outgoing }: Draft<DomainEvent>): unknown[] => [
  event.eventId,
  event.type,
  schemaVersion,
  json,
  ...publicOf(outgoing),
];

function placeOf([{ position, epoch } = { position: null, epoch: 0 }]: readonly AppendedOne[]): Appended {
  return position === null ? null : { epoch, positions: [position] };
}

const publicOf = (outgoing: OutgoingEvent | null) =>
  outgoing ? [outgoing.type, outgoing.version, JSON.stringify(outgoing.data)] : [null, null, null];

export async function appendTogether(tx: Tx, all: readonly Append[]): Promise<Appended[]> {
  const [one, another] = all;
  if (one && !another) return [await appendAlone(tx, one)];
  const streams = all.map(({ meta, streamId }) => `${meta.orgId} ${streamId}`);
  // The second of two appends to one stream was decided without the first: it finds another version and decides again.
  const taken = all.filter((_, nth) => streams.indexOf(streams[nth] ?? '') === nth);
  const { rows } = await tx.query<{ id: string; pos: number; epoch: number }>(appendMany, [
    [...new Set(taken.map(({ meta }) => meta.key.id))],
    `[${taken.flatMap(draftsOf).join(',')}]`,
  ]);
  const positions = new Map(rows.map(({ id, pos }) => [id, pos]));
  const epoch = rows[0]?.epoch ?? 0;
  return all.map(({ drafts }) => {
    const own = positionsOf(drafts, positions);
    return own && { epoch, positions: own };
  });
}

function positionsOf(drafts: readonly Draft<DomainEvent>[], by: ReadonlyMap<string, number>): readonly number[] | null {
  const positions = drafts.flatMap(({ event }) => by.get(event.eventId) ?? []);
  if (positions.length === drafts.length) return positions;
  if (positions.length === 0) return null;
  const message = 'Another writer came between the events of one append';
  throw Object.assign(new Error(message), { code: '40001' });
}

function draftsOf({ meta, category, streamId, version, drafts }: Append, nth: number): string[] {
  const { orgId: org, key, actorId: actor, at } = meta;
  return drafts.map(({ event, json, outgoing }) => {
    const head = JSON.stringify({
      nth,
      org,
      stream: streamId,
      category,
      key: key.id,
      expected: version,
      version: event.version,
      actor,
      at,
      id: event.eventId,
      type: event.type,
      schema_version: schemaVersion,
      ...(outgoing && { public_type: outgoing.type, public_version: outgoing.version, public_data: outgoing.data }),
    });
    return `${head.slice(0, -1)},"meta":${metaOf(meta)},"data":${json}}`;
  });
}

export function metaOf({ causes, traceparent }: CommandMeta): string {
  return JSON.stringify({ ...(causes && { causes }), ...(traceparent !== undefined && { traceparent }) });
}
