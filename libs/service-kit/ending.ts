import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from './log.ts';

const drainMilliseconds = 10_000;

/**
 * Answers what stops it, within 10 s for requests in flight. Call before it listens: browsers open connections ahead, and
 * Node takes one on which nothing was asked yet for a busy one.
 */
export function drainOf(fastify: FastifyInstance): () => Promise<void> {
  const { server } = fastify;
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  // A connection whose last answer went out after the close would stay open until its keep-alive ends.
  const sweep = () => {
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  return async () => {
    const sweeping = setInterval(sweep, 50);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMilliseconds);
    });
    await Promise.race([fastify.close(), late]);
    clearInterval(sweeping);
    clearTimeout(timer);
    server.closeAllConnections();
  };
}

/** On SIGTERM, SIGINT or an unexpected error, once; the process ends after 20 s at the latest. */
export function endInOrder(close: () => Promise<void>, log: Log): void {
  let isEnding = false;
  const end = (reason: string, code: number) => {
    if (isEnding) return;
    isEnding = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), 2 * drainMilliseconds).unref();
    close().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop in order');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal, 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error');
    end('uncaughtException', 1);
  });
}
