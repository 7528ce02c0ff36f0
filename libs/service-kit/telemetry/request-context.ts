import { AsyncLocalStorage } from 'node:async_hooks';
import type { FactKey } from '@caravan/contracts/events/fact-key';
import { formatPositions, isUpTo, type LogPosition } from '@caravan/contracts/events/log-position';
import { type ServiceName, topics } from '@caravan/contracts/events/topics';
import type { Span } from '@opentelemetry/api';
import { deviceNameOf } from './device-name.ts';

export type TraceContext = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly span?: Span | undefined;
};

export type HeaderSink = { header(name: string, value: string): unknown };

export type Deadline = {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  /** `answered`: what goes on after it has all the time; `gone`: nobody waits any more. */
  readonly answer: () => 'awaited' | 'answered' | 'gone';
};

export type RequestContext = {
  readonly trace: TraceContext;
  deadline?: Deadline | undefined;
  readonly answer?: HeaderSink | undefined;
  readonly userAgent?: string | undefined;
  caller?: { readonly userId: string; readonly orgId: string } | undefined;
  subject?: string | undefined;
  position?: LogPosition | undefined;
  /** Services of whose facts the caller knows more than is known here. */
  late?: readonly ServiceName[] | undefined;
};

const storage = new AsyncLocalStorage<RequestContext>();

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Milliseconds, 0 when nobody waits any more; undefined without a deadline. No outside call takes longer. */
export function timeLeft(): number | undefined {
  const deadline = storage.getStore()?.deadline;
  if (!deadline) return undefined;
  const answer = deadline.answer();
  if (answer === 'answered') return undefined;
  return answer === 'gone' ? 0 : Math.max(0, deadline.at - performance.now());
}

export function currentDevice(): string | null {
  const context = storage.getStore();
  return context?.answer ? deviceNameOf(context.userAgent ?? '') : null;
}

export function runInContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

export function nameCaller(caller: { userId: string; orgId: string }): void {
  const context = storage.getStore();
  if (context) context.caller = caller;
}

export function nameSubject(userId: string): void {
  const context = storage.getStore();
  if (!context) return;
  context.subject = userId;
  if (context.position !== undefined) context.answer?.header('x-event-subject', userId);
}

/** `X-Event-Concerns`: somebody else whose next commands wait for what this answer wrote, as those of its caller do. */
export function noteConcerned(userId: string): void {
  storage.getStore()?.answer?.header('x-event-concerns', userId);
}

/** `X-Event-Position: <service>:<position>@<epoch>`; none where the caller's reads could never wait for the key. */
export function noteCommitted(service: ServiceName, { epoch, position, key }: LogPosition & { key: FactKey }): void {
  const context = storage.getStore();
  const place = { epoch, position };
  if (!context || !isAwaited(service, key, context.caller) || isUpTo(context.position, place)) return;
  context.position = place;
  context.answer?.header('x-event-position', formatPositions({ [service]: place }));
  const subject = context.subject ?? context.caller?.userId;
  if (subject !== undefined) context.answer?.header('x-event-subject', subject);
}

/** Whatever the caller asks next waits for this fact: the caller may act on what somebody else wrote. */
export function noteShown(service: ServiceName, shown: LogPosition & { key: FactKey }): void {
  noteCommitted(service, shown);
}

function isAwaited(service: ServiceName, { of, id }: FactKey, caller: RequestContext['caller']): boolean {
  if (of !== topics[service].awaitedBy) return false;
  return !caller || id === (of === 'person' ? caller.userId : caller.orgId);
}

/** Whether what is known here of this service's facts is older than what the caller has seen. */
export function isLate(service: ServiceName): boolean {
  return storage.getStore()?.late?.includes(service) ?? false;
}

export function markStale(late: readonly ServiceName[]): void {
  const context = storage.getStore();
  if (!context) return;
  context.late = late;
  context.answer?.header('x-stale', 'true');
}
