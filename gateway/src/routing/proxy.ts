import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Rejected } from '@caravan/kernel/rejected';
import { type Dependency, type DependencyOptions, Unanswered } from '@caravan/service-kit/process/dependency';
import { credentialHeader, timeLeftHeader } from '@caravan/service-kit/http/service-credential';
import { Pool } from 'undici';
import {
  bodyMilliseconds,
  lookMilliseconds,
  marginMilliseconds,
  probeMilliseconds,
  silentMilliseconds,
} from './budgets.ts';
import { ExpectedWait } from './expected-wait.ts';
import { greetAny, greetedConnector, NotConnected } from './greeted-connections.ts';
import { type OnHeaders, Relay } from './relay.ts';
import { RepeatBudget } from './repeat-budget.ts';

const connections = 64;
const mostWaiting = 1_000;
const mostAttempts = 3;
/**
 * Connections that one request may see refused. For a few seconds a balancer still sends to a process that has ended:
 * while one of three is missing, eight in a row are refused once in 6,500 times, and the pauses between them add up to
 * 140 ms.
 */
const mostRefusals = 8;
const refusalMilliseconds = 5;
/** Where one of three processes hangs, a balancer that chooses by chance sends all of them there once in 243 times. */
const probeConnections = 5;
/** Of the time that is left: who waits longer for a connection is answered too late, and was worked for in vain. */
const shareToWait = 1 / 3;

/** Hop-by-hop, and everything by which somebody outside could speak in our name (S39). */
const notForwarded = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-event-position',
  'x-event-subject',
  'x-event-concerns',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-min-position',
  'x-real-ip',
  credentialHeader,
  timeLeftHeader,
  'x-user-id',
]);
export type Forwarded = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
  readonly vouched: Readonly<Record<string, string>>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
  /** May take long, and so waits beside others of its kind. */
  readonly isLong: boolean;
  /** Handling it twice has the effect of handling it once. */
  readonly isRepeatable: boolean;
};

type Attempt = Forwarded & { readonly isLast: boolean };

/** Connections with those who use them or wait for one. */
type Lane = { pool: Pool; readonly wait: ExpectedWait };

export function headersToService({
  headers,
  vouched,
}: Pick<Forwarded, 'headers' | 'vouched'>): Record<string, string | string[]> {
  const forwarded: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !notForwarded.has(name)) forwarded[name] = value;
  }
  return Object.assign(forwarded, vouched);
}

/** The connection brought no answer while the service lives: its process may hang. */
class Silent extends Error {
  override readonly name = 'Silent';
}

/**
 * A service behind one address, with one process or several. What hangs is known by connection: a silent one is closed
 * and, where that is safe, its request sent again on another one. The service as a whole is away when no connection, old
 * or new, is answered; then nobody waits for it (design/failures.md).
 */
export class Upstream {
  private readonly ordinary: Lane;
  // Connections of their own: a crowd that signs in queues for its hashes, and nobody else behind it.
  private readonly long: Lane;
  private readonly url: URL;
  private readonly connect = greetedConnector({
    hasAnsweredSince: (at) => this.answeredAt > at,
    onAnswer: () => (this.answeredAt = performance.now()),
  });
  private readonly service: Dependency;
  private readonly silentRepeats = new RepeatBudget();
  /** Connections from before the service was away, while requests still run on them. */
  private readonly closing = new Set<Promise<void>>();
  private answeredAt = -Infinity;

  constructor(name: string, url: string, dependencyOf: (options: DependencyOptions) => Dependency) {
    this.url = new URL(url);
    const lane = (): Lane => ({ pool: this.openPool(), wait: new ExpectedWait(connections) });
    [this.ordinary, this.long] = [lane(), lane()];
    this.service = dependencyOf({ name, budgetMilliseconds: probeMilliseconds, probe: () => this.probe() });
  }

  /** Repeats what was not sent, and what is safe to send twice when its connection broke. Throws `Rejected` (503). */
  async forward(request: Forwarded, response: ServerResponse, onHeaders: OnHeaders): Promise<void> {
    const lane = request.isLong ? this.long : this.ordinary;
    const refusal = this.service.refusal() ?? (isTooBusy(lane, request) ? tooBusy() : undefined);
    if (refusal) throw refusal;
    let sent = 1;
    let refused = 0;
    for (;;) {
      try {
        await this.attempt(lane, { ...request, isLast: sent === mostAttempts }, response, onHeaders);
        return;
      } catch (error) {
        if (response.headersSent || response.destroyed) return void response.destroy();
        if (error instanceof Unanswered) throw error;
        if (error instanceof NotConnected) {
          refused += 1;
          if (refused === mostRefusals || performance.now() >= request.until) throw unavailable();
          await pause(refused * refusalMilliseconds);
        } else {
          if (!request.isRepeatable || sent === mostAttempts || performance.now() >= request.until) throw unavailable();
          sent += 1;
        }
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.ordinary.pool.close(), this.long.pool.close(), ...this.closing]);
  }

  private openPool(): Pool {
    const timeOuts = { headersTimeout: 0, bodyTimeout: bodyMilliseconds };
    return new Pool(this.url, { connections, pipelining: 1, connect: this.connect, ...timeOuts });
  }

  /** After the service was away, connections from before may still be silent. New ones are used once they answered. */
  private renewConnections(): void {
    for (const lane of [this.ordinary, this.long]) {
      const closed = lane.pool.close().finally(() => this.closing.delete(closed));
      this.closing.add(closed);
      lane.pool = this.openPool();
    }
  }

  private async attempt(lane: Lane, request: Attempt, response: ServerResponse, onHeaders: OnHeaders): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    lane.wait.begin(performance.now());
    const answer = (headers: IncomingHttpHeaders) => {
      this.answeredAt = performance.now();
      this.silentRepeats.recordAnswer();
      return onHeaders(headers);
    };
    const handler = new Relay(request.headers, response, answer, ({ isOver, error }) => {
      if (isOver) lane.wait.end(performance.now());
      if (error) reject(error);
      else resolve(undefined);
    });
    const headers = headersToService(request);
    headers[timeLeftHeader] = String(Math.max(0, Math.floor(request.until - performance.now() - marginMilliseconds)));
    const endWatch = this.watch(request, response, handler);
    lane.pool.dispatch({ method: request.method, path: request.path, headers, body: request.body }, handler);
    await promise.finally(endWatch);
  }

  private watch(request: Attempt, response: ServerResponse, handler: Relay): () => void {
    const { until, isLong } = request;
    let timer: NodeJS.Timeout | undefined;
    const judge = (isAlive: boolean) => {
      if (response.headersSent) return;
      if (!isAlive) handler.abandon(new Unanswered(this.service.name));
      else if (mayRepeatSilent(request) && handler.isSent && this.silentRepeats.take()) handler.abandon(new Silent());
    };
    const look = () => {
      if (response.headersSent) return;
      const left = until - performance.now();
      if (left > 0) {
        again(left);
        return void this.service.isAlive().then(judge);
      }
      this.service.suspect();
      handler.abandon(new Unanswered(this.service.name));
    };
    const lookAfter = isLong ? lookMilliseconds : silentMilliseconds;
    const again = (left: number) => (timer = setTimeout(look, Math.ceil(Math.min(left, lookAfter)) + 1));
    again(Math.max(0, until - performance.now()));
    return () => clearTimeout(timer);
  }

  private async probe(): Promise<void> {
    const since = performance.now();
    try {
      await greetAny(this.connect, this.url, probeConnections);
    } catch (error) {
      if (this.answeredAt <= since) throw error;
    }
    if (this.service.state !== 'closed') this.renewConnections();
  }
}

/** Another connection needs as long again to turn out silent, too. */
function mayRepeatSilent({ isRepeatable, isLong, isLast, until }: Attempt): boolean {
  return isRepeatable && !isLong && !isLast && until - performance.now() > silentMilliseconds;
}

function isTooBusy({ wait }: Lane, { until }: Forwarded): boolean {
  if (wait.running >= connections + mostWaiting) return true;
  return wait.milliseconds > 0 && wait.milliseconds > shareToWait * (until - performance.now());
}

function tooBusy(): Rejected {
  const message = 'Too much is asked at once. Please try again in a few seconds.';
  return new Rejected('gateway/too-busy', 'unavailable', message, { retryAfterSeconds: 2 });
}

function unavailable(): Rejected {
  return new Rejected(
    'service/unavailable',
    'unavailable',
    'This is not available right now. Please try again.',
    {
      retryAfterSeconds: 1,
    },
  );
}
