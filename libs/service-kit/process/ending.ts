import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../telemetry/log.ts';

/**
 * How long a service keeps an idle connection. It says so in every answer (`Keep-Alive`), and callers close theirs two
 * seconds earlier (undici), so that a service never closes a connection while a request is on its way.
 */
export const idleMilliseconds = 6_000;
/** Callers have closed their idle connections by then. */
const leaveMilliseconds = idleMilliseconds;
/** A browser opens connections ahead. A caller that asks does so at once. */
const firstRequestMilliseconds = 1_000;
const drainMilliseconds = 10_000;

export type Ending = {
  /**
   * Goes on answering, each answer with `Connection: close`, until callers have left for other processes; 6 s at most.
   * Idle connections stay open, since a write on one that was just closed cannot be repeated safely.
   */
  readonly leave: () => Promise<void>;
  /** Takes nothing new and lets requests in flight finish, within 10 s. */
  readonly drain: () => Promise<void>;
};

/** Call before the server listens: it has to know every connection. */
export function endingOf(fastify: FastifyInstance): Ending {
  const { server } = fastify;
  const openedAt = new Map<Socket, number>();
  let isLeaving = false;
  server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  server.prependListener('request', ({ url }: IncomingMessage, response: ServerResponse) => {
    // With it a gateway greets a connection that it means to use.
    if (isLeaving && url !== '/health/live') response.setHeader('connection', 'close');
  });
  const hasCallers = () =>
    [...openedAt].some(([socket, at]) => socket.bytesRead > 0 || performance.now() - at < firstRequestMilliseconds);
  const leave = async () => {
    isLeaving = true;
    const until = performance.now() + leaveMilliseconds;
    while (performance.now() < until && hasCallers()) await pause(25);
  };
  return { leave, drain: () => drain(fastify, openedAt) };
}

async function drain(fastify: FastifyInstance, openedAt: ReadonlyMap<Socket, number>): Promise<void> {
  const { server } = fastify;
  // A connection whose last answer went out after the close would stay open until its keep-alive ends, and Node takes
  // one on which nothing was asked yet for a busy one.
  const sweep = () => {
    server.closeIdleConnections();
    for (const socket of openedAt.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
  const sweeping = setInterval(sweep, 50);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMilliseconds);
  });
  await Promise.race([fastify.close(), late]);
  clearInterval(sweeping);
  clearTimeout(timer);
  server.closeAllConnections();
}

let endProcess: ((reason: string, code: number) => void) | undefined;

/** For a process that cannot do its work any more: it ends in order, with code 1, and its supervisor starts it again. */
export function endToStartAgain(reason: string): void {
  endProcess?.(reason, 1);
}

export type Endable = { readonly leave: () => Promise<void>; readonly close: () => Promise<void> };

/**
 * Ends the process once, after 26 s at the latest. SIGTERM: another process takes over, so callers leave first. SIGINT
 * or an unexpected error: the process closes at once.
 */
export function endInOrder({ leave, close }: Endable, log: Log): void {
  let isEnding = false;
  const end = (reason: string, code: number) => {
    if (isEnding) return;
    isEnding = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), leaveMilliseconds + 2 * drainMilliseconds).unref();
    const left = reason === 'SIGTERM' ? leave() : Promise.resolve();
    left.then(close).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop in order');
        process.exit(1);
      },
    );
  };
  endProcess = end;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal, 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error');
    end('uncaughtException', 1);
  });
}
