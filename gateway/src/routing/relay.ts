import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';
import { credentialHeader } from '@caravan/service-kit/http/service-credential';
import type { Dispatcher } from 'undici';

/** Compressing less costs more than it saves. */
const compressFromBytes = 2048;

/** Hop-by-hop, and positions, which count the commands of everybody on this machine. */
const notReturned = new Set([
  'connection',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-event-position',
  'x-event-subject',
  'x-event-concerns',
  credentialHeader,
]);

type Added = Readonly<Record<string, string>>;
/** Returns the headers to add. The answer begins when they are there. */
export type OnHeaders = (headers: IncomingHttpHeaders) => Added | Promise<Added>;

/** A call that is given up while it waits for a connection holds its place in the queue until its turn. */
export type Done = (end: { readonly isOver: boolean; readonly error?: Error }) => void;

/** Passes one answer of a service on to the client. */
export class Relay implements Dispatcher.DispatchHandler {
  private running: Dispatcher.DispatchController | undefined;
  private abandoned: Error | undefined;
  private sink: ServerResponse | Gzip;
  private expectedBytes = -1;
  private beginning: Promise<void> | undefined;
  private readonly asked: IncomingHttpHeaders;
  private readonly response: ServerResponse;
  private readonly onHeaders: OnHeaders;
  private readonly done: Done;

  constructor(asked: IncomingHttpHeaders, response: ServerResponse, onHeaders: OnHeaders, done: Done) {
    this.asked = asked;
    this.response = response;
    this.onHeaders = onHeaders;
    this.done = done;
    this.sink = response;
    response.once('close', () => response.writableFinished || this.abandon(new Error('the client went away')));
  }

  /** False while the request waits for a connection. */
  get isSent(): boolean {
    return this.running !== undefined;
  }

  /** Closes the connection that the request was sent on. */
  abandon(reason: Error): void {
    this.abandoned = reason;
    this.done({ isOver: false, error: reason });
    this.running?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that still waits for a connection has not been sent.
    if (this.abandoned) controller.abort(this.abandoned);
    else this.running = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.expectedBytes = Number(headers['content-length'] ?? -1);
    const begin = (added: Added) => {
      this.sink = startAnswer(this.asked, this.response, { status, headers, added });
      this.sink.on('drain', () => controller.resume());
    };
    const added = this.onHeaders(headers);
    if (!(added instanceof Promise)) return begin(added);
    controller.pause();
    this.beginning = added.then((later) => {
      this.beginning = undefined;
      if (this.abandoned) return;
      begin(later);
      controller.resume();
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.expectedBytes) this.sink.end(chunk);
    else if (!this.sink.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    // An answer to HEAD ends although it was paused: it has no body.
    if (this.beginning) void this.beginning.then(() => this.end());
    else this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.abandoned ??= error;
    this.done({ isOver: true, error });
  }

  private end(): void {
    if (!this.abandoned && !this.sink.writableEnded) this.sink.end();
    this.done({ isOver: true });
  }
}

export const takesGzip = (asked: IncomingHttpHeaders): boolean =>
  /\bgzip\b/.test(asked['accept-encoding']?.toString() ?? '');

function startAnswer(
  asked: IncomingHttpHeaders,
  response: ServerResponse,
  { status, headers, added }: { status: number; headers: IncomingHttpHeaders; added: Added },
): ServerResponse | Gzip {
  const answer: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !notReturned.has(name)) answer[name] = value;
  }
  Object.assign(answer, added);
  const bytes = Number(headers['content-length'] ?? 0);
  const isText = /json|text/.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  if (bytes < compressFromBytes || !isText || !takesGzip(asked)) {
    response.writeHead(status, answer);
    return response;
  }
  delete answer['content-length'];
  response.writeHead(status, { ...answer, 'content-encoding': 'gzip', vary: 'accept-encoding' });
  const gzip = createGzip({ level: 4 });
  gzip.pipe(response);
  return gzip;
}
