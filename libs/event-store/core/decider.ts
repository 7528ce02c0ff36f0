/** A private event as a decider speaks of it: ids, numbers and enumerations only, never personal data. */
export type DomainEvent = { readonly type: string; readonly data: object };

export type DecisionContext = {
  readonly by: string | null;
  readonly orgId: string;
  readonly at: Date;
};

/** Pure rules: `decide` answers with events, none for "already so", or throws `Rejected`; `evolve` is total and never throws. */
export type Decider<State, Command, Event extends DomainEvent> = {
  readonly category: string;
  readonly initial: State;
  decide(command: Command, state: State, context: DecisionContext): readonly Event[];
  evolve(state: State, event: Event): State;
};

export function fold<State, Event extends DomainEvent>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>,
  events: readonly Event[],
): State {
  return events.reduce((state, event) => decider.evolve(state, event), decider.initial);
}
