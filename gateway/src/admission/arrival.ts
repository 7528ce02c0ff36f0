import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { uploadsPath } from './signed-upload.ts';

const arrivalMilliseconds = 60_000;

/** How long a request may take to arrive. Node knows one limit for all of them, that of uploads. */
export function limitArrival(app: FastifyInstance, milliseconds = arrivalMilliseconds): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (hasBody(raw) && !raw.complete && routeOptions.url?.startsWith(uploadsPath) !== true) {
      const late = () => app.server.emit('clientError', new TooLate(), raw.socket);
      const timer = setTimeout(late, milliseconds);
      raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** Without one there is nothing to wait for, and nobody hears an end: an open stream would be cut off in its middle. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

class TooLate extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}
