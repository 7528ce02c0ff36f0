import { expect } from 'vitest';
import { fold, type Decider, type DecisionContext, type DomainEvent } from '../core/decider.ts';
import { Rejected, type RejectionKind } from '@caravan/kernel/rejected';

type Decision<Event> = {
  then(...events: readonly Event[]): void;
  /** It is already so: no event, no refusal. */
  thenNothing(): void;
  /** The rules refuse it with this code (and kind, where it matters). */
  rejects(code: string, kind?: RejectionKind): void;
};

const someone: DecisionContext = {
  by: '00000000-0000-7000-8000-00000000000a',
  orgId: '00000000-0000-7000-8000-0000000000a0',
  at: new Date('2026-06-15T12:00:00.000Z'),
};

/**
 * Speaks a decider's rules: `const given = specOf(movement)`, then
 * `given(logged).when(remove).then(removed)`, `given(logged).when(log).thenNothing()`, `given().when(remove).rejects('movement/not-found')`.
 * Commands come from one person of one organisation on 15 June 2026 at noon UTC unless the context says otherwise.
 */
export function specOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  context: Partial<DecisionContext> = {},
): (...events: readonly Event[]) => {
  when(command: Command, context?: Partial<DecisionContext>): Decision<Event>;
} {
  return (...events) => ({
    when: (command, itsContext = {}) => {
      const decide = (): readonly Event[] =>
        decider.decide(command, fold(decider, events), { ...someone, ...context, ...itsContext });
      return decision(decide);
    },
  });
}

function decision<Event>(decide: () => readonly Event[]): Decision<Event> {
  return {
    then: (...expected) => expect(decide()).toEqual(expected),
    thenNothing: () => expect(decide()).toEqual([]),
    rejects: (code, kind) => {
      const refused = refusal(decide);
      expect(refused, 'expected a refusal').toBeInstanceOf(Rejected);
      expect(refused).toMatchObject({ code, ...(kind && { kind }) });
    },
  };
}

function refusal(decide: () => unknown): unknown {
  try {
    decide();
    return undefined;
  } catch (error) {
    return error;
  }
}
