import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { greetingMilliseconds, lookMilliseconds } from './budgets.ts';

const lookAgainMilliseconds = 100;

/** No connection was made, so the request was not sent and may be repeated, whatever its method. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

export type Greetings = {
  /** Whether the service has answered anybody since, on the clock of `performance.now()`. */
  readonly hasAnsweredSince: (at: number) => boolean;
  readonly onAnswer: () => void;
  readonly milliseconds?: { readonly late: number; readonly last: number };
};

/**
 * Opens connections and sends a first, cheap request on each. A service has one address for several processes, and a
 * process that hangs still has its connections opened by the kernel. A connection that did not answer is not used: when it
 * is late and others were answered meanwhile, or at the last.
 */
export function greetedConnector(greetings: Greetings): buildConnector.connector {
  const { late, last } = greetings.milliseconds ?? { late: greetingMilliseconds, last: lookMilliseconds };
  const connect = buildConnector({ timeout: last, allowH2: false });
  return (options, callback) => {
    connect(options, (...[failure, socket]) => {
      if (!socket) return callback(new NotConnected('no connection', { cause: failure }), null);
      const since = performance.now();
      const isInVain = () => performance.now() - since >= last || greetings.hasAnsweredSince(since);
      greet(socket, options.host ?? options.hostname, { late, isInVain }).then(
        () => {
          greetings.onAnswer();
          callback(null, socket);
        },
        (cause: unknown) => {
          socket.destroy();
          callback(new NotConnected('a new connection did not answer', { cause }), null);
        },
      );
    });
  };
}

/** Resolves when one of a few new connections was answered. One alone could meet the one process of several that hangs. */
export async function greetAny(connect: buildConnector.connector, url: URL, connections: number): Promise<void> {
  const { hostname, host, protocol, port } = url;
  const open = () =>
    new Promise<void>((resolve, reject) => {
      connect({ hostname, host, protocol, port }, (...[failure, socket]) => {
        socket?.destroy();
        if (failure) reject(failure);
        else resolve();
      });
    });
  await Promise.any(Array.from({ length: connections }, open));
}

type Patience = { readonly late: number; readonly isInVain: () => boolean };

async function greet(socket: Socket, host: string, { late, isInVain }: Patience): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let heard = '';
  const read = () => {
    for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;)
      heard += chunk.toString('latin1');
    if (isWholeAnswer(heard)) resolve(undefined);
  };
  const close = () => reject(new Error('closed before it was answered'));
  const look = () => {
    if (isInVain()) reject(new Error('no answer in time'));
    else timer = setTimeout(look, lookAgainMilliseconds);
  };
  let timer = setTimeout(look, late);
  socket.on('readable', read).on('error', reject).on('close', close);
  socket.write(`GET /health/live HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    socket.off('readable', read).off('error', reject).off('close', close);
  }
}

/** Undici parses only what it has sent itself; of this one answer nothing but its end is needed. */
function isWholeAnswer(heard: string): boolean {
  const headEnd = heard.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const head = heard.slice(0, headEnd + 1);
  if (/^transfer-encoding: *chunked\r$/im.test(head)) return heard.endsWith('\r\n0\r\n\r\n');
  const length = /^content-length: *(\d+)\r$/im.exec(head)?.[1];
  return length !== undefined && heard.length >= headEnd + 4 + Number(length);
}
