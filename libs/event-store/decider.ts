/** A private event as a decider speaks of it: ids, numbers and enumerations only, never personal data. */
export type DomainEvent = { readonly type: string; readonly data: object };

/** What a decision may know beside command and state. */
export type DecisionContext = {
  /** The person who asked; null for the system. */
  readonly by: string | null;
  readonly orgId: string;
  /** The instant of the command, read once at the boundary. */
  readonly at: Date;
};

/**
 * The rules of one kind of stream. Pure: `decide` answers a command with events or throws `Rejected`; no events means
 * "already so". `evolve` is total and never throws.
 */
export type Decider<State, Command, Event extends DomainEvent> = {
  /** First part of the stream's id: `<category>-<id>`. */
  readonly category: string;
  readonly initial: State;
  decide(command: Command, state: State, context: DecisionContext): readonly Event[];
  evolve(state: State, event: Event): State;
};

/** State after a stream's events. */
export function fold<State, Event extends DomainEvent>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>,
  events: readonly Event[],
): State {
  return events.reduce((state, event) => decider.evolve(state, event), decider.initial);
}
