import { AsyncLocalStorage } from 'node:async_hooks';
import type { FactKey } from '@caravan/contracts/fact-key';
import { formatPositions, isUpTo, type LogPosition } from '@caravan/contracts/log-position';
import { type ServiceName, topics } from '@caravan/contracts/topics';
import type { Span } from '@opentelemetry/api';
import { deviceNameOf } from './device-name.ts';

/** Where a piece of work stands in a distributed trace: W3C ids in lower-case hexadecimal. */
export type TraceContext = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Present only while spans are recorded. */
  readonly span?: Span | undefined;
};

/** Where a context writes the headers of its answer; jobs and consumers have none. */
export type HeaderSink = { header(name: string, value: string): unknown };

/** How long an answer is of use to who asked. */
export type Deadline = {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  /** `answered` when it is out, so that what goes on after it has all the time; `gone` when nobody waits for it any more. */
  readonly answer: () => 'awaited' | 'answered' | 'gone';
};

/** What belongs to one request, job or message while it is worked on. */
export type RequestContext = {
  readonly trace: TraceContext;
  /** Of requests that came through the gateway. */
  deadline?: Deadline | undefined;
  readonly answer?: HeaderSink | undefined;
  /** How the program that asked describes itself. */
  readonly userAgent?: string | undefined;
  /** Who asked, once the guard knows. */
  caller?: { readonly userId: string; readonly orgId: string } | undefined;
  /** The person whose reads must see what this request committed; the caller unless said otherwise. */
  subject?: string | undefined;
  position?: LogPosition | undefined;
  /** The caller's latest writes may not be known here yet. */
  isStale?: boolean | undefined;
};

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the work at hand; undefined outside requests, jobs and messages. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/**
 * Milliseconds after which the answer at hand is of no use any more, 0 when nobody waits for it; undefined for work without
 * a deadline. Calls to anything outside the process take no longer.
 */
export function timeLeft(): number | undefined {
  const deadline = storage.getStore()?.deadline;
  if (!deadline) return undefined;
  const answer = deadline.answer();
  if (answer === 'answered') return undefined;
  return answer === 'gone' ? 0 : Math.max(0, deadline.at - performance.now());
}

/** What the device that asked is recognised by, such as 'Firefox on Linux'; null outside requests. */
export function currentDevice(): string | null {
  const context = storage.getStore();
  return context?.answer ? deviceNameOf(context.userAgent ?? '') : null;
}

/** Runs work in a context; everything it awaits sees the same one. */
export function runInContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** The guard names the caller, for logs, idempotency and the position's subject. */
export function nameCaller(caller: { userId: string; orgId: string }): void {
  const context = storage.getStore();
  if (context) context.caller = caller;
}

/** Names the person whose next reads must see this request's writes, where there is no caller yet (signup, login). */
export function nameSubject(userId: string): void {
  const context = storage.getStore();
  if (!context) return;
  context.subject = userId;
  if (context.position !== undefined) context.answer?.header('x-event-subject', userId);
}

/**
 * Tells the gateway how far this service's log has come by this request: `X-Event-Position: <service>:<position>@<epoch>` and
 * `X-Event-Subject: <userId>`. The highest position of several commits counts. Facts of a key by which the caller's
 * reads cannot wait report none: nobody would ever apply that position under the caller's own key.
 */
export function noteCommitted(service: ServiceName, { epoch, position, key }: LogPosition & { key: FactKey }): void {
  const context = storage.getStore();
  const place = { epoch, position };
  if (!context || !isAwaited(service, key, context.caller) || isUpTo(context.position, place)) return;
  context.position = place;
  context.answer?.header('x-event-position', formatPositions({ [service]: place }));
  const subject = context.subject ?? context.caller?.userId;
  if (subject !== undefined) context.answer?.header('x-event-subject', subject);
}

/**
 * Tells the gateway on which fact this answer stands: whatever the caller asks next, of any service, waits for it like for
 * the own writes. For what the caller may act on though somebody else wrote it.
 */
export function noteShown(service: ServiceName, shown: LogPosition & { key: FactKey }): void {
  noteCommitted(service, shown);
}

/** Whoever signs up or in is no caller yet, and is told of their own facts only. */
function isAwaited(service: ServiceName, { of, id }: FactKey, caller: RequestContext['caller']): boolean {
  if (of !== topics[service].awaitedBy) return false;
  return !caller || id === (of === 'person' ? caller.userId : caller.orgId);
}

/** The answer may lack the caller's latest writes: `X-Stale: true`. */
export function markStale(): void {
  const context = storage.getStore();
  if (!context) return;
  context.isStale = true;
  context.answer?.header('x-stale', 'true');
}
