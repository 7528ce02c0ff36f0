import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';
import { credentialHeader } from '@caravan/service-kit/service-credential';
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
  credentialHeader,
]);

export type OnHeaders = (headers: IncomingHttpHeaders) => Readonly<Record<string, string>>;

/** A call that is given up while it waits for a connection holds its place in the queue until its turn. */
export type Done = (end: { readonly isOver: boolean; readonly error?: Error }) => void;

export function relay(
  asked: IncomingHttpHeaders,
  response: ServerResponse,
  onHeaders: OnHeaders,
  done: Done,
): Dispatcher.DispatchHandler & { abandon: (reason: Error) => void } {
  let running: Dispatcher.DispatchController | undefined;
  let abandoned: Error | undefined;
  let sink: ServerResponse | Gzip = response;
  let expectedBytes = -1;
  const abandon = (reason: Error) => {
    abandoned = reason;
    done({ isOver: false, error: reason });
    running?.abort(reason);
  };
  response.once('close', () => response.writableFinished || abandon(new Error('the client went away')));
  return {
    abandon,
    onRequestStart: (controller) => {
      // What still waited for a connection has not been sent.
      if (abandoned) controller.abort(abandoned);
      else running = controller;
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      expectedBytes = Number(headers['content-length'] ?? -1);
      sink = startAnswer(asked, response, { status, headers, added: onHeaders(headers) });
      sink.on('drain', () => controller.resume());
    },
    onResponseData: (controller, chunk) => {
      if (chunk.length === expectedBytes) sink.end(chunk);
      else if (!sink.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      if (!sink.writableEnded) sink.end();
      done({ isOver: true });
    },
    onResponseError: (_controller, error) => done({ isOver: true, error }),
  };
}

export const takesGzip = (asked: IncomingHttpHeaders): boolean =>
  /\bgzip\b/.test(asked['accept-encoding']?.toString() ?? '');

function startAnswer(
  asked: IncomingHttpHeaders,
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
