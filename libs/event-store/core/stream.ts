import { randomUUIDv7 } from 'node:crypto';
import { type DecisionContext, type DomainEvent, fold } from './decider.ts';
import type { CommandMeta, Handled, StreamKind } from './event-store.ts';
import type { Decided, Projection, Recorded, Statement } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';

export type Draft<Event extends DomainEvent> = {
  readonly event: Decided<Event>;
  readonly json: string;
  readonly outgoing: OutgoingEvent | null;
};

export type StoredEvent = {
  readonly eventId: string;
  readonly version: number;
  readonly position: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly actorId: string | null;
  readonly recordedAt: Date;
};

export type Known<State> = {
  readonly state: State;
  readonly version: number;
  readonly isAssumed: boolean;
};

export const streamIdOf = (kind: { decider: { category: string } }, id: string): string =>
  `${kind.decider.category}-${id}`;

export const contextOf = ({ actorId, orgId, at }: CommandMeta): DecisionContext => ({ by: actorId, orgId, at });

/** The form in which events are recorded. A second form comes with what lifts the first one to it (ADR 0070). */
export const schemaVersion = 1;

/** Throws for a form that this code does not know: reading it wrongly would be worse than not at all. */
export function recall<Event extends DomainEvent>(
  where: { orgId: string; streamId: string },
  stored: readonly StoredEvent[],
): Recorded<Event>[] {
  return stored.map(({ schemaVersion: form, ...event }) => {
    if (form !== schemaVersion)
      throw new Error(`${event.type} is recorded in schema version ${form}, this code knows ${schemaVersion}`);
    return { ...where, ...event } as unknown as Recorded<Event>;
  });
}

export function knownFrom<State, Event extends DomainEvent>(
  kind: Pick<StreamKind<State, never, Event>, 'decider'>,
  events: readonly Recorded<Event>[],
): Known<State> {
  return { state: fold(kind.decider, events), version: events.at(-1)?.version ?? 0, isAssumed: false };
}

export function draft<State, Command, Event extends DomainEvent, PublicPayload>(
  kind: StreamKind<State, Command, Event, PublicPayload>,
  decided: readonly Event[],
  context: { meta: CommandMeta; streamId: string; version: number; publicPayload: PublicPayload },
): Draft<Event>[] {
  const { meta, streamId, version, publicPayload } = context;
  return decided.map((given, index) => {
    const type: Event['type'] = given.type;
    const json = JSON.stringify(given.data);
    // Read back, so that projections see what a rebuild will see and a Date or an undefined cannot make a difference.
    const event = {
      type,
      data: JSON.parse(json) as object,
      eventId: randomUUIDv7(),
      streamId,
      version: version + index + 1,
      orgId: meta.orgId,
      actorId: meta.actorId,
      recordedAt: meta.at,
    } as unknown as Draft<Event>['event'];
    const publish = kind.publicEvents[type];
    const outgoing = publish === 'private' ? null : publish(event as never, publicPayload);
    return { event, json, outgoing };
  });
}

export function statementsOf<Event extends DomainEvent>(
  projections: readonly Projection<Event>[],
  events: readonly Decided<Event>[],
): Statement[] {
  return events.flatMap((event) =>
    projections.flatMap((projection) => {
      const type: Event['type'] = event.type;
      const project = projection.on[type];
      return project === 'ignored' ? [] : project(event as never);
    }),
  );
}

export function sameState<State, Event extends DomainEvent>(known: Known<State>): Handled<State, Event> {
  return { events: [], state: known.state, version: known.version };
}

export function stateAfter<State, Event extends DomainEvent>(
  kind: Pick<StreamKind<State, never, Event>, 'decider'>,
  before: Known<State>,
  events: readonly Decided<Event>[],
): Handled<State, Event> {
  return {
    events,
    state: events.reduce<State>((state, event) => kind.decider.evolve(state, event), before.state),
    version: events.at(-1)?.version ?? before.version,
  };
}
