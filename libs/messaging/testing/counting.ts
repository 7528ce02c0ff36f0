import { randomUUID } from '@caravan/contracts/testing/seeded';
import { publicEvent } from '@caravan/contracts/events/envelope';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { Decider } from '@caravan/event-store/core/decider';
import type { EventStore, StreamKind, Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { type createPool, withSystem } from '@caravan/event-store/postgres/connections';
import { z } from 'zod';
import type { Consumed, Handler } from '../consumer/consumer.ts';

/** The one public fact of these tests. */
export const counted = publicEvent('Counted', 1, z.object({ n: z.number().int() }));

type Pool = ReturnType<typeof createPool>;
type CountedEvent = { type: 'Counted'; data: { n: number } };
type Counting = { is: 'counting' };

const counter: Decider<Counting, readonly number[], CountedEvent> = {
  category: 'counter',
  initial: { is: 'counting' },
  decide: (numbers) => numbers.map((n) => ({ type: 'Counted', data: { n } })),
  evolve: (state) => state,
};

/** Numbers under a key, all of which leave the service. */
export const counting: StreamKind<Counting, readonly number[], CountedEvent> = {
  decider: counter,
  projections: [],
  publicEvents: { Counted: ({ data }) => ({ type: 'Counted', version: 1, data }) },
};

export const orgId = '00000000-0000-7000-8000-0000000000a0';

/** Appends numbers under a key, in one transaction and a stream of its own. Answers with the last position. */
export async function count(store: EventStore, key: string, ...numbers: number[]): Promise<number> {
  const meta = { orgId, actorId: null, at: new Date(), key: personKey(key) };
  const id = randomUUID();
  await store.handle(meta, counting, id, numbers);
  return (await store.read(orgId, counting, id)).at(-1)?.position ?? 0;
}

/** One row of `seen` per message, by a statement each. */
export function seeing(group: string): Handler {
  return {
    subscription: { group, from: 'activity', contract: counted },
    handle: async (event, { tx }) => writeSeen(tx, group, [event as Consumed<typeof counted>]),
  };
}

/** The same, by one statement per batch. */
export function seeingTogether(group: string): Handler {
  const write = (tx: Tx, events: readonly Consumed<typeof counted>[]) => writeSeen(tx, group, events);
  return {
    subscription: { group, from: 'activity', contract: counted },
    handle: async (event, batch) => batch.enqueueWrite(write, event as Consumed<typeof counted>),
  };
}

/** Refuses the numbers it is told to, until it is told otherwise. */
export function seeingExcept(group: string, refused: ReadonlySet<number>): Handler {
  return {
    subscription: { group, from: 'activity', contract: counted },
    handle: async (event, { tx }) => {
      const { n } = event.data as { n: number };
      await writeSeen(tx, group, [event as Consumed<typeof counted>]);
      if (refused.has(n)) throw new Rejected('counting/refused', 'invalid', `${n} is refused`);
    },
  };
}

async function writeSeen(tx: Tx, group: string, events: readonly Consumed<typeof counted>[]): Promise<void> {
  await tx.query(
    `insert into seen (consumer_group, key, position, n)
     select $1, key, position, n from unnest($2::text[], $3::bigint[], $4::int[]) with ordinality as t(key, position, n, nth)
     order by nth`,
    [group, events.map(({ key }) => key), events.map(({ position }) => position), events.map(({ data }) => data.n)],
  );
}

type Seen = { readonly key: string; readonly position: number };

/** What a group did, oldest first. */
export async function seenBy(tx: Tx, group: string): Promise<Seen[]> {
  const { rows } = await tx.query<Seen>('select key, position from seen where consumer_group = $1 order by seen_id', [
    group,
  ]);
  return rows;
}

/** What the log says happened. */
export function readLogged(pool: Pool): Promise<Seen[]> {
  return withSystem(pool, async (tx) => {
    const { rows } = await tx.query<Seen>('select partition_key as key, pos as position from es.events order by pos');
    return rows;
  });
}

/** How what was delivered differs from 'each exactly once, in order per key'. */
export function faultsOf(truth: readonly Seen[], delivered: readonly Seen[]) {
  const times = new Map<number, number>();
  const last = new Map<string, number>();
  let disordered = 0;
  for (const { key, position } of delivered) {
    times.set(position, (times.get(position) ?? 0) + 1);
    if (position <= (last.get(key) ?? 0)) disordered += 1;
    last.set(key, Math.max(position, last.get(key) ?? 0));
  }
  const known = new Set(truth.map(({ position }) => position));
  return {
    missing: truth.filter(({ position }) => !times.has(position)).length,
    twice: [...times.values()].filter((count) => count > 1).length,
    disordered,
    unheardOf: [...times.keys()].filter((position) => !known.has(position)).length,
  };
}

export const noFaults = { missing: 0, twice: 0, disordered: 0, unheardOf: 0 };
