import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Rejected } from '@caravan/event-store/rejected';
import { type Dependency, type DependencyOptions, Unanswered } from '@caravan/service-kit/dependency';
import { credentialHeader, timeLeftHeader } from '@caravan/service-kit/service-credential';
import { Client, Pool } from 'undici';
import { bodyMilliseconds, lookMilliseconds, marginMilliseconds, probeMilliseconds } from './budgets.ts';
import { ExpectedWait } from './expected-wait.ts';
import { type OnHeaders, relay } from './relay.ts';

const connections = 64;
const mostWaiting = 1_000;
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
};

/** Connections with those who use them or wait for one. */
type Lane = { readonly pool: Pool; readonly wait: ExpectedWait };

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

/** A service that is late to answer is asked whether it lives; while it does not say so, nobody waits for it. */
export class Upstream {
  private readonly ordinary: Lane;
  // Connections of their own: a crowd that signs in queues for its hashes, and nobody else behind it.
  private readonly long: Lane;
  private readonly prober: Client;
  private readonly service: Dependency;

  constructor(name: string, url: string, dependencyOf: (options: DependencyOptions) => Dependency) {
    const timeOuts = { headersTimeout: 0, bodyTimeout: bodyMilliseconds, connectTimeout: lookMilliseconds };
    const lane = (): Lane => ({
      pool: new Pool(url, { connections, pipelining: 1, keepAliveTimeout: 30_000, ...timeOuts }),
      wait: new ExpectedWait(connections),
    });
    [this.ordinary, this.long] = [lane(), lane()];
    this.prober = new Client(url, { connectTimeout: probeMilliseconds });
    this.service = dependencyOf({ name, budgetMilliseconds: probeMilliseconds, probe: () => this.probe() });
  }

  /** A read whose connection broke is tried once more: nothing can have happened twice. Throws `Rejected` (503). */
  async forward(request: Forwarded, response: ServerResponse, onHeaders: OnHeaders): Promise<void> {
    const lane = request.isLong ? this.long : this.ordinary;
    const refusal = this.service.refusal() ?? (isTooBusy(lane, request) ? tooBusy() : undefined);
    if (refusal) throw refusal;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    try {
      await this.attempt(lane, request, response, onHeaders);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (error instanceof Unanswered) throw error;
      // A refused connection never reached the service, whatever the method.
      if (!isRead && !wasRefused(error)) throw unavailable();
      await this.attempt(lane, request, response, onHeaders).catch((again: unknown) => {
        if (response.headersSent) response.destroy();
        else throw again instanceof Unanswered ? again : unavailable();
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.ordinary.pool.close(), this.long.pool.close(), this.prober.destroy()]);
  }

  private async attempt(lane: Lane, request: Forwarded, response: ServerResponse, onHeaders: OnHeaders): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    lane.wait.begin(performance.now());
    const handler = relay(request.headers, response, onHeaders, ({ isOver, error }) => {
      if (isOver) lane.wait.end(performance.now());
      if (error) reject(error);
      else resolve(undefined);
    });
    const headers = headersToService(request);
    headers[timeLeftHeader] = String(Math.max(0, Math.floor(request.until - performance.now() - marginMilliseconds)));
    const endWatch = this.watch(request, response, handler.abandon);
    lane.pool.dispatch({ method: request.method, path: request.path, headers, body: request.body }, handler);
    await promise.finally(endWatch);
  }

  private watch({ until }: Forwarded, response: ServerResponse, abandon: (reason: Error) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const abandonIf = (isVain: boolean) =>
      isVain && !response.headersSent && abandon(new Unanswered(this.service.name));
    const look = () => {
      if (response.headersSent) return;
      const left = until - performance.now();
      if (left > 0) {
        again(left);
        return void this.service.isAlive().then((isAlive) => abandonIf(!isAlive));
      }
      this.service.suspect();
      return void abandonIf(true);
    };
    const again = (left: number) => (timer = setTimeout(look, Math.ceil(Math.min(left, lookMilliseconds)) + 1));
    again(Math.max(0, until - performance.now()));
    return () => clearTimeout(timer);
  }

  private async probe(): Promise<void> {
    const { body } = await this.prober.request({
      ...{ method: 'GET', path: '/health/live', headersTimeout: probeMilliseconds },
      signal: AbortSignal.timeout(probeMilliseconds),
    });
    await body.dump();
  }
}

function isTooBusy({ wait }: Lane, { until }: Forwarded): boolean {
  if (wait.running >= connections + mostWaiting) return true;
  return wait.milliseconds > 0 && wait.milliseconds > shareToWait * (until - performance.now());
}

function tooBusy(): Rejected {
  const message = 'Too much is asked at once. Please try again in a few seconds.';
  return new Rejected('gateway/too-busy', 'unavailable', message, { retryAfterSeconds: 2 });
}

function wasRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

function unavailable(): Rejected {
  return new Rejected(
    'gateway/service-unavailable',
    'unavailable',
    'This is not available right now. Please try again.',
    {
      retryAfterSeconds: 1,
    },
  );
}
