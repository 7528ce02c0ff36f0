import { randomUUID } from '@caravan/contracts/testing/seeded';
import { personKey } from '@caravan/contracts/events/fact-key';
import type { Decider } from '../core/decider.ts';
import type { CommandMeta, StreamKind } from '../core/event-store.ts';
import type { Projection, Statement } from '../core/projection.ts';
import { Rejected } from '@caravan/kernel/rejected';

// A jar that coins are put into: the smallest kind of stream that has everything a kind can have.

export type JarEvent =
  | { type: 'JarOpened'; data: { jarId: string } }
  | { type: 'CoinsAdded'; data: { jarId: string; coins: number } }
  | { type: 'JarSealed'; data: { jarId: string } };

export type JarCommand =
  | { do: 'open' }
  | { do: 'add'; coins: number }
  /** Coin by coin, opening the jar where needed: several events at once. */
  | { do: 'fill'; coins: number }
  | { do: 'seal' };

export type Jar = { is: 'absent' } | { is: 'open' | 'sealed'; coins: number };

/** Decider of a jar with a given id; counts how often it was asked. */
export const jar: Decider<Jar, JarCommand & { jarId: string }, JarEvent> = {
  category: 'jar',
  initial: { is: 'absent' },
  decide({ jarId, ...command }, state) {
    if (command.do === 'open') return state.is === 'absent' ? [{ type: 'JarOpened', data: { jarId } }] : [];
    if (command.do === 'fill')
      return [
        ...(state.is === 'absent' ? [{ type: 'JarOpened', data: { jarId } } as const] : []),
        ...Array.from({ length: command.coins }, () => ({ type: 'CoinsAdded', data: { jarId, coins: 1 } }) as const),
      ];
    if (state.is === 'absent') throw new Rejected('jar/not-found', 'not-found', 'There is no such jar');
    if (command.do === 'seal') return state.is === 'sealed' ? [] : [{ type: 'JarSealed', data: { jarId } }];
    if (state.is === 'sealed') throw new Rejected('jar/sealed', 'conflict', 'This jar is sealed');
    return [{ type: 'CoinsAdded', data: { jarId, coins: command.coins } }];
  },
  evolve(state, event) {
    const coins = state.is === 'absent' ? 0 : state.coins;
    switch (event.type) {
      case 'JarOpened':
        return { is: 'open', coins };
      case 'CoinsAdded':
        return { is: 'open', coins: coins + event.data.coins };
      case 'JarSealed':
        return { is: 'sealed', coins };
    }
  },
};

const addToTotal = `
  insert into jar_totals as t (org_id, jar_id, coins)
  select org_id, jar_id, sum(coins) from json_to_recordset($1) as c (org_id uuid, jar_id text, coins integer)
  group by 1, 2 order by 1, 2 on conflict (org_id, jar_id) do update set coins = t.coins + excluded.coins`;
const addEntry = `
  insert into jar_entries (org_id, event_id, jar_id, coins, added_at, added_by)
  select * from json_to_recordset($1) as c (org_id uuid, event_id uuid, jar_id text, coins integer, added_at timestamptz,
    added_by uuid)`;

const total = (org_id: string, jar_id: string, coins: number): Statement => ({
  text: addToTotal,
  rows: [{ org_id, jar_id, coins }],
});

export const jarTotals: Projection<JarEvent> = {
  name: 'jar-totals',
  revision: 1,
  tables: ['jar_totals', 'jar_entries'],
  on: {
    JarOpened: ({ orgId, data }) => [total(orgId, data.jarId, 0)],
    CoinsAdded: ({ orgId, eventId, recordedAt, actorId, data }) => [
      total(orgId, data.jarId, data.coins),
      {
        text: addEntry,
        rows: [
          {
            org_id: orgId,
            event_id: eventId,
            jar_id: data.jarId,
            coins: data.coins,
            added_at: recordedAt,
            added_by: actorId,
          },
        ],
      },
    ],
    JarSealed: 'ignored',
  },
};

/** Tables of the projection, as a service's own migration would create them. */
export const jarTables = [
  `create table jar_totals (
    org_id uuid not null, jar_id text not null, coins integer not null default 0,
    constraint jar_totals_pkey primary key (org_id, jar_id), constraint coins_not_negative check (coins >= 0))`,
  'create index jar_totals_by_coins on jar_totals (org_id, coins desc)',
  `create table jar_entries (
    org_id uuid not null, event_id uuid not null, jar_id text not null, coins integer not null,
    added_at timestamptz not null, added_by uuid, entry_id bigint generated always as identity,
    constraint jar_entries_pkey primary key (org_id, event_id),
    constraint jar_entries_of_jar foreign key (org_id, jar_id) references jar_totals (org_id, jar_id))`,
  ...['jar_totals', 'jar_entries'].flatMap((table) => [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} using ((select app_is_system()) or org_id = (select app_org()))`,
  ]),
];

export type Note = { readonly note: string };

export const jars: StreamKind<Jar, JarCommand & { jarId: string }, JarEvent, Note> = {
  decider: jar,
  projections: [jarTotals],
  publicEvents: {
    JarOpened: 'private',
    CoinsAdded: (e, { note }) => ({
      type: 'CoinsSaved',
      version: 2,
      data: { jarId: e.data.jarId, coins: e.data.coins, note, by: e.actorId },
    }),
    JarSealed: (e) => ({ type: 'JarClosed', version: 1, data: { jarId: e.data.jarId } }),
  },
};

export function somebody(overrides: Partial<CommandMeta> = {}): CommandMeta & { actorId: string } {
  const actorId = randomUUID();
  return {
    orgId: randomUUID(),
    at: new Date('2026-06-15T12:00:00.123Z'),
    key: personKey(actorId),
    ...overrides,
    actorId,
  };
}

export const note = { note: 'for a rainy day' };
export const openJar = (jarId: string) => ({ do: 'open', jarId }) as const;
export const add = (jarId: string, coins: number) => ({ do: 'add', jarId, coins }) as const;
export const fill = (jarId: string, coins: number) => ({ do: 'fill', jarId, coins }) as const;
export const seal = (jarId: string) => ({ do: 'seal', jarId }) as const;
