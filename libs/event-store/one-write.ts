import type { Writable } from 'node:stream';

/** The part of a pg client that is not in its types; absent in doubles and other drivers. */
type WithSocket = { readonly connection?: { readonly stream?: Writable } };

/**
 * Lets everything that is issued on a connection until the running promise callbacks are through leave in one write. A
 * write of its own for every statement costs more than most statements: it wakes the server's process each time.
 */
export function inOneWrite(client: object): void {
  const stream = (client as WithSocket).connection?.stream;
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  // A tick that is queued by a promise callback comes after all of them, one queued by other code before them.
  queueMicrotask(() => process.nextTick(() => stream.uncork()));
}
