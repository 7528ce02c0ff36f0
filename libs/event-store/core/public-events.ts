import type { DomainEvent } from './decider.ts';
import type { Decided } from './projection.ts';

export type OutgoingEvent = {
  readonly type: string;
  readonly version: number;
  readonly data: object;
  /** False for a fact about rows that is told once: whoever hears of it keeps it, and forgets it in time, by itself. */
  readonly isKept?: boolean;
};

/** Says of EVERY private event what leaves. `publicPayload` may travel (names, captions); the log never holds it. */
export type PublicEvents<Event extends DomainEvent, PublicPayload = undefined> = {
  readonly [Type in Event['type']]:
    'private' | ((event: Decided<Extract<Event, { type: Type }>>, publicPayload: PublicPayload) => OutgoingEvent);
};
