import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';
import { Rejected } from '@caravan/event-store/rejected';
import { credentialHeader } from '@caravan/service-kit/service-credential';
import { Pool, type Dispatcher } from 'undici';

/** Answers shorter than this are sent as they are: compressing them costs more than it saves. */
const compressFromBytes = 2048;
const upstreamTimeoutMilliseconds = 30_000;

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
  'x-user-id',
]);
/** Hop-by-hop, and what services tell the gateway alone: a position counts the commands of everybody on this machine. */
const notReturned = new Set([
  'connection',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-event-position',
  'x-event-subject',
  credentialHeader,
]);

export type Forwarded = {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
  /** Headers that the gateway vouches for. */
  readonly vouched: Readonly<Record<string, string>>;
};

/** Headers as they go to a service: the caller's, less what nobody outside may set, plus what the gateway vouches for. */
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

/** One upstream service with its connections. */
export class Upstream {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool(url, {
      connections: 64,
      pipelining: 1,
      headersTimeout: upstreamTimeoutMilliseconds,
      bodyTimeout: upstreamTimeoutMilliseconds,
      keepAliveTimeout: 30_000,
    });
  }

  /**
   * Sends the request on and the answer back into `response`; `onHeaders` sees the service's headers first and answers
   * those to add. A read whose connection broke before an answer is tried once more: nothing can have happened twice.
   * Throws `Rejected` (503) when the service did not answer.
   */
  async forward(
    request: Forwarded,
    response: ServerResponse,
    onHeaders: (headers: IncomingHttpHeaders) => Readonly<Record<string, string>>,
  ): Promise<void> {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    try {
      await this.attempt(request, response, onHeaders);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      // A refused connection never reached the service, whatever the method.
      if (!isRead && !wasRefused(error)) throw unavailable();
      await this.attempt(request, response, onHeaders).catch(() => {
        if (response.headersSent) response.destroy();
        else throw unavailable();
      });
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private attempt(
    request: Forwarded,
    response: ServerResponse,
    onHeaders: Parameters<Upstream['forward']>[2],
  ): Promise<undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const handler = relay(request, response, onHeaders, (error) => {
      if (error) reject(error);
      else resolve(undefined);
    });
    this.pool.dispatch(
      { method: request.method, path: request.path, headers: headersToService(request), body: request.body },
      handler,
    );
    return promise;
  }
}

/** Hands a service's answer on as it comes, no faster than the client reads; a client that leaves ends the call. */
function relay(
  request: Forwarded,
  response: ServerResponse,
  onHeaders: Parameters<Upstream['forward']>[2],
  done: (error?: Error) => void,
): Dispatcher.DispatchHandler {
  let abandon: (() => void) | undefined;
  let sink: ServerResponse | Gzip = response;
  let expectedBytes = -1;
  response.once('close', () => {
    if (!response.writableFinished) abandon?.();
  });
  return {
    onRequestStart: (controller) => {
      abandon = () => controller.abort(new Error('the client went away'));
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      expectedBytes = Number(headers['content-length'] ?? -1);
      sink = startAnswer(request, response, { status, headers, added: onHeaders(headers) });
      sink.on('drain', () => controller.resume());
    },
    onResponseData: (controller, chunk) => {
      // Most answers are one chunk: sent with their headers in one write.
      if (chunk.length === expectedBytes) sink.end(chunk);
      else if (!sink.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      if (!sink.writableEnded) sink.end();
      done();
    },
    onResponseError: (_controller, error) => done(error),
  };
}

function startAnswer(
  { headers: asked }: Forwarded,
  response: ServerResponse,
  { status, headers, added }: { status: number; headers: IncomingHttpHeaders; added: Readonly<Record<string, string>> },
): ServerResponse | Gzip {
  const answer: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !notReturned.has(name)) answer[name] = value;
  }
  Object.assign(answer, added);
  const bytes = Number(headers['content-length'] ?? 0);
  const isText = /json|text/.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  if (bytes < compressFromBytes || !isText || !/\bgzip\b/.test(asked['accept-encoding']?.toString() ?? '')) {
    response.writeHead(status, answer);
    return response;
  }
  delete answer['content-length'];
  response.writeHead(status, { ...answer, 'content-encoding': 'gzip', vary: 'accept-encoding' });
  const gzip = createGzip({ level: 4 });
  gzip.pipe(response);
  return gzip;
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
