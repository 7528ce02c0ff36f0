import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { currentContext } from './request-context.ts';

/** Injection token of the service's logger: JSON lines with service and trace ids, secrets removed. */
export const Log = Symbol('Log');
export type Log = Logger;

const secretNames = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'accessToken',
  'refreshToken',
  'access_token',
  'refresh_token',
  'secret',
  'client_secret',
];
const redactedPaths = ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) =>
  secretNames.map((name) => (name.includes('-') ? `${prefix.replace(/\.$/, '')}["${name}"]` : `${prefix}${name}`)),
);

export type LogOptions = {
  readonly service: string;
  readonly level?: string;
  /** Where lines go; standard output unless said otherwise. */
  readonly destination?: DestinationStream;
};

/** Creates the one logger of a process. */
export function createLog({ service, level = 'info', destination }: LogOptions): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[removed]' },
      mixin: () => {
        const context = currentContext();
        return context ? { traceId: context.trace.traceId, spanId: context.trace.spanId } : {};
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}
