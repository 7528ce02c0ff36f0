import type { DomainEvent } from './decider.ts';

/** `$1` is a JSON array of rows in the order of their events, read by `json_to_recordset($1)`; several may be of one key. */
export type Statement = { readonly text: string; readonly rows: readonly object[] };

export type Decided<Event extends DomainEvent = DomainEvent> = Event & {
  readonly eventId: string;
  readonly streamId: string;
  readonly version: number;
  readonly orgId: string;
  readonly actorId: string | null;
  readonly recordedAt: Date;
};

export type Recorded<Event extends DomainEvent = DomainEvent> = Decided<Event> & { readonly position: number };

/** Fed in the transaction of the append, and by a rebuild with the same statements. Never rejects a recorded fact. */
export type Projection<Event extends DomainEvent> = {
  readonly name: string;
  /** Raise when the rows would come out differently: the next rebuild fills a new generation. */
  readonly revision: number;
  readonly tables: readonly string[];
  readonly on: {
    readonly [Type in Event['type']]:
      'ignored' | ((event: Decided<Extract<Event, { type: Type }>>) => readonly Statement[]);
  };
};

export function inSets(lists: readonly (readonly Statement[])[]): Statement[] {
  const sets: { texts: string; lists: (readonly Statement[])[] }[] = [];
  for (const list of lists) {
    const texts = list.map(({ text }) => text).join('\n');
    const last = sets.at(-1);
    if (last?.texts === texts) last.lists.push(list);
    else if (list.length > 0) sets.push({ texts, lists: [list] });
  }
  return sets.flatMap(({ lists }) => together(lists));
}

export function together(lists: readonly (readonly Statement[])[]): Statement[] {
  const [first = []] = lists;
  return first.map(({ text }, nth) => ({ text, rows: lists.flatMap((list) => list[nth]?.rows ?? []) }));
}
