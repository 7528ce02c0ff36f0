import type { DomainEvent } from './decider.ts';
import type { Recorded } from './projection.ts';

/** What leaves a service: name, version and data of a contract in `@caravan/contracts`. */
export type OutgoingEvent = {
  readonly type: string;
  readonly version: number;
  readonly data: object;
  /** False for a fact about rows that is told once: whoever hears of it keeps it, and forgets it in time, by itself. */
  readonly isKept?: boolean;
};

/**
 * Maps EVERY private event to the public one or to 'private': the only answer to "what leaves this service?".
 * `publicPayload` is the forgettable payload of the command (names, captions): it may travel, the log never holds it.
 */
export type PublicEvents<Event extends DomainEvent, PublicPayload = undefined> = {
  readonly [Type in Event['type']]:
    | 'private'
    | ((
        event: Omit<Recorded<Extract<Event, { type: Type }>>, 'position'>,
        publicPayload: PublicPayload,
      ) => OutgoingEvent);
};
