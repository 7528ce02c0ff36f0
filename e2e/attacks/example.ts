import type { OperationId, Place } from './places.ts';
import type { Call } from './send.ts';
import type { Party, Person } from './world.ts';

export type Naming = {
  readonly of: (party: Party) => string;
  /** 404 unless said otherwise (D4). */
  readonly answers?: readonly number[];
};

/** A call that succeeds, and what it names. A new operation does not compile until it has one (`examples.ts`). */
export type Example = {
  readonly call?: (party: Party) => Call;
  readonly by?: (party: Party) => Promise<Person>;
  readonly after?: (person: Person, party: Party) => Promise<Call | undefined>;
  readonly refusedWith?: number;
  /** 'secret': whoever holds it may use it, so that it must never be told. */
  readonly names?: Readonly<Partial<Record<Place, Naming | 'secret'>>>;
};

/** The examples of one service. */
export type Examples = Partial<Record<OperationId, Example>>;

export const fresh = (party: Party): Promise<Person> => party.newMember();

/** A cursor opens only in the organisation that it was made in. */
export const cursorOf = (list: OperationId): NonNullable<Example['names']> => ({
  'query.cursor': { of: ({ cursors, logId }) => cursors[list] ?? cursorAt(logId), answers: [422] },
});
const cursorAt = (id: string) => Buffer.from(JSON.stringify([new Date().toISOString(), id])).toString('base64url');
