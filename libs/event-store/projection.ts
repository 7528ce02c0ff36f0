import type { DomainEvent } from './decider.ts';

/**
 * One parameterised SQL statement; tables are named without a schema, so that a rebuild can fill another generation.
 * One with `rows` has a single parameter, a JSON array of them: commands of different keys that share a transaction may
 * share its execution.
 */
export type Statement =
  | { readonly text: string; readonly values: readonly unknown[] }
  | { readonly text: string; readonly rows: readonly object[] };

/** The parameters of a statement. */
export const valuesOf = (statement: Statement): readonly unknown[] =>
  'rows' in statement ? [JSON.stringify(statement.rows)] : statement.values;

/** An event as the log holds it. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event & {
  readonly eventId: string;
  readonly streamId: string;
  /** 1 for the first event of a stream. */
  readonly version: number;
  readonly position: number;
  readonly orgId: string;
  readonly actorId: string | null;
  readonly recordedAt: Date;
};

/**
 * A read model fed from the log in the transaction of the append. Pure: every event type answers with the statements
 * to run or with 'ignored', so that a new event type does not compile until it is answered. Never rejects a fact.
 */
export type Projection<Event extends DomainEvent> = {
  readonly name: string;
  /** Raise when the rows would come out differently: the next rebuild fills a new generation. */
  readonly revision: number;
  /** The tables it owns, without a schema. */
  readonly tables: readonly string[];
  /** True when its statements name positions: then they wait until the log has given one. */
  readonly namesPositions?: true;
  readonly on: {
    readonly [Type in Event['type']]:
      'ignored' | ((event: Recorded<Extract<Event, { type: Type }>>) => readonly Statement[]);
  };
  /**
   * What a rebuild may run instead of `on` for many events of one type behind each other: statements that leave the same
   * rows. They find the events in the table `stretch` (pos, org_id, event_id, data, actor_id, recorded_at).
   */
  readonly inBulk?: { readonly [Type in Event['type']]?: readonly string[] };
};
