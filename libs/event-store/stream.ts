import { randomUUIDv7 } from 'node:crypto';
import type { DecisionContext, DomainEvent } from './decider.ts';
import { fold } from './decider.ts';
import type { CommandMeta, Handled, Readable, StreamKind } from './event-store.ts';
import type { Projection, Recorded, Statement } from './projection.ts';
import type { OutgoingEvent } from './public-events.ts';
import { currentVersion, upcast } from './upcast.ts';

/** An event that was decided and has no position yet, with what leaves the service because of it. */
export type Draft<Event extends DomainEvent> = {
  readonly event: Omit<Recorded<Event>, 'position'>;
  readonly schemaVersion: number;
  /** The event's data as it will lie in the log. */
  readonly json: string;
  readonly outgoing: OutgoingEvent | null;
};

/** An event as a store keeps it. */
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

/** What is known of a stream when a command is decided. */
export type Known<State> = {
  readonly state: State;
  readonly version: number;
  /** True when nobody looked: the caller said that the stream is new. */
  readonly isAssumed: boolean;
};

export const streamIdOf = (kind: { decider: { category: string } }, id: string): string =>
  `${kind.decider.category}-${id}`;

export const contextOf = ({ actorId, orgId, at }: CommandMeta): DecisionContext => ({ by: actorId, orgId, at });

/** Stored events in today's form. */
export function recall<Event extends DomainEvent>(
  kind: Pick<Readable<Event>, 'upcasters'>,
  where: { orgId: string; streamId: string },
  stored: readonly StoredEvent[],
): Recorded<Event>[] {
  return stored.map(({ schemaVersion, data, ...event }) => {
    const recorded: Recorded = {
      ...where,
      ...event,
      data: upcast(kind.upcasters, { type: event.type, schemaVersion, data }) as object,
    };
    return recorded as Recorded<Event>;
  });
}

/** The state of a stream of which `events` are all. */
export function knownFrom<State, Event extends DomainEvent>(
  kind: Pick<StreamKind<State, never, Event>, 'decider'>,
  events: readonly Recorded<Event>[],
): Known<State> {
  return { state: fold(kind.decider, events), version: events.at(-1)?.version ?? 0, isAssumed: false };
}

/** Gives decided events their place in the stream and the public form in which they leave. */
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
      ...{ type, data: JSON.parse(json) as object },
      ...{ eventId: randomUUIDv7(), streamId, version: version + index + 1 },
      ...{ orgId: meta.orgId, actorId: meta.actorId, recordedAt: meta.at },
    } as unknown as Draft<Event>['event'];
    const publish = kind.publicEvents[type];
    const outgoing = publish === 'private' ? null : publish(event as never, publicPayload);
    return { event, json, outgoing, schemaVersion: currentVersion(kind.upcasters, type) };
  });
}

/** The drafts at the positions that the log gave them. */
export function placed<Event extends DomainEvent>(
  drafts: readonly Draft<Event>[],
  positions: readonly number[],
): Recorded<Event>[] {
  return drafts.map(({ event }, index) => {
    const position = positions[index];
    if (position === undefined) throw new Error(`The log gave no position to event ${index + 1} of ${drafts.length}`);
    return { ...event, position } as unknown as Recorded<Event>;
  });
}

/** The drafts as recorded events of which nobody may ask the position yet. */
export function withoutPositions<Event extends DomainEvent>(drafts: readonly Draft<Event>[]): Recorded<Event>[] {
  return drafts.map(
    ({ event }) =>
      Object.defineProperty({ ...event }, 'position', {
        get: () => {
          throw new Error('A projection that uses positions has to say so (namesPositions)');
        },
      }) as unknown as Recorded<Event>,
  );
}

/** What the read models do with recorded events, in order. */
export function statementsOf<Event extends DomainEvent>(
  projections: readonly Projection<Event>[],
  events: readonly Recorded<Event>[],
): Statement[] {
  return events.flatMap((event) =>
    projections.flatMap((projection) => {
      const type: Event['type'] = event.type;
      const project = projection.on[type];
      return project === 'ignored' ? [] : project(event as never);
    }),
  );
}

/** The outcome of a command after which the stream is as it was. */
export function unchanged<State, Event extends DomainEvent>(known: Known<State>): Handled<State, Event> {
  return { events: [], state: known.state, version: known.version, position: null };
}

/** The outcome of a command that recorded events. */
export function changed<State, Event extends DomainEvent>(
  kind: Pick<StreamKind<State, never, Event>, 'decider'>,
  before: Known<State>,
  events: readonly Recorded<Event>[],
): Handled<State, Event> {
  const last = events.at(-1);
  return {
    events,
    state: events.reduce<State>((state, event) => kind.decider.evolve(state, event), before.state),
    version: last?.version ?? before.version,
    position: last?.position ?? null,
  };
}
