import type { FastifyInstance } from 'fastify';
import type { Log } from './log.ts';

const drainMilliseconds = 10_000;

/** Lets requests in flight finish for 10 s. */
export async function drain(fastify: FastifyInstance): Promise<void> {
  // A connection whose last answer went out after the close would stay open until its keep-alive ends.
  const sweep = setInterval(() => fastify.server.closeIdleConnections(), 50);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMilliseconds);
  });
  await Promise.race([fastify.close(), late]);
  clearInterval(sweep);
  clearTimeout(timer);
  fastify.server.closeAllConnections();
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
