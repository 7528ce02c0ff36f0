import type { DomainEvent } from '../core/decider.ts';
import type { StreamKind, Tx } from '../core/event-store.ts';
import type { Recorded } from '../core/projection.ts';
import type { OutgoingEvent } from '../core/public-events.ts';
import { recall, type StoredEvent } from '../core/stream.ts';

export type LoggedEvent = StoredEvent & {
  readonly orgId: string;
  readonly streamId: string;
  readonly category: string;
};

export type PublicHistory = {
  readonly category: string;
  outgoing(tx: Tx, events: readonly LoggedEvent[]): Promise<(OutgoingEvent | null)[]>;
};

/** Reads the forgettable payloads of events from the rows that hold them now; of who was erased it says what is left. */
export type PayloadsOf<Event extends DomainEvent, PublicPayload> = (
  tx: Tx,
  events: readonly Recorded<Event>[],
) => Promise<readonly PublicPayload[]>;

/** What left, told again: what the log does not hold comes from rows as they are now, so who was erased stays erased. */
export function publicHistory<State, Command, Event extends DomainEvent, PublicPayload>(
  kind: StreamKind<State, Command, Event, PublicPayload>,
  ...[payloadsOf]: PublicPayload extends undefined ? [] : [PayloadsOf<Event, PublicPayload>]
): PublicHistory {
  return {
    category: kind.decider.category,
    outgoing: async (tx, stored) => {
      const events = stored.map((one) => recallOne<Event>(one));
      const told = events.filter(({ type }) => publishingOf(kind, type) !== 'private');
      const payloads = payloadsOf && told.length > 0 ? await payloadsOf(tx, told) : [];
      const payloadOf = new Map(told.map(({ eventId }, nth) => [eventId, payloads[nth]]));
      return events.map((event) => {
        const publish = publishingOf(kind, event.type);
        return publish === 'private' ? null : publish(event as never, payloadOf.get(event.eventId) as PublicPayload);
      });
    },
  };
}

function publishingOf<Event extends DomainEvent, PublicPayload>(
  kind: Pick<StreamKind<never, never, Event, PublicPayload>, 'publicEvents'>,
  type: Event['type'],
) {
  if (!Object.hasOwn(kind.publicEvents, type))
    throw new Error(`This version of the service does not know ${type}: use the newest`);
  return kind.publicEvents[type];
}

function recallOne<Event extends DomainEvent>({
  orgId,
  streamId,
  category: _category,
  ...stored
}: LoggedEvent): Recorded<Event> {
  const [event] = recall<Event>({ orgId, streamId }, [stored]);
  if (!event) throw new Error('An event that was stored can be recalled');
  return event;
}
