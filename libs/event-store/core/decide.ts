import type { DomainEvent } from './decider.ts';
import type { CommandMeta, Handled, StreamKind } from './event-store.ts';
import { Rejected } from '@caravan/kernel/rejected';
import { stateAfter, contextOf, draft, sameState, type Draft, type Known } from './stream.ts';

export type StreamAccess<State, Event extends DomainEvent> = {
  readonly streamId: string;
  load(isContended: boolean): Promise<Known<State>>;
  append(drafts: readonly Draft<Event>[], version: number): Promise<boolean>;
};

export const contended = 'event-store/contended';

/** Another writer may be first this often before a command gives up; from the second time on the writers queue. */
const maxAttempts = 5;

/** Decides a command on what the stream is, appends, and decides again whenever another writer was first. */
export async function decideAndAppend<State, Command, Event extends DomainEvent, PublicPayload>(
  kind: StreamKind<State, Command, Event, PublicPayload>,
  stream: StreamAccess<State, Event>,
  command: Command,
  given: { meta: CommandMeta; publicPayload: PublicPayload; isNew: boolean },
): Promise<Handled<State, Event>> {
  const { meta, publicPayload } = given;
  let known: Known<State> = given.isNew
    ? { state: kind.decider.initial, version: 0, isAssumed: true }
    : await stream.load(false);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const eager = decideOn(kind, known, command, meta);
    if (eager === null) known = await stream.load(false);
    const events = eager ?? kind.decider.decide(command, known.state, contextOf(meta));
    if (events.length === 0) return sameState(known);
    const context = { meta, publicPayload, streamId: stream.streamId, version: known.version };
    const drafts = draft(kind, events, context);
    const isAppended = await stream.append(drafts, known.version);
    if (isAppended)
      return stateAfter(
        kind,
        known,
        drafts.map(({ event }) => event),
      );
    known = await stream.load(true);
  }
  throw new Rejected(contended, 'unavailable', 'Too many changes at once. Please try again.', {
    retryAfterSeconds: 1,
  });
}

function decideOn<State, Command, Event extends DomainEvent>(
  kind: Pick<StreamKind<State, Command, Event>, 'decider'>,
  known: Known<State>,
  command: Command,
  meta: CommandMeta,
): readonly Event[] | null {
  try {
    const events = kind.decider.decide(command, known.state, contextOf(meta));
    return events.length === 0 && known.isAssumed ? null : events;
  } catch (error) {
    if (known.isAssumed && error instanceof Rejected) return null;
    throw error;
  }
}
