import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { currentContext } from './request-context.ts';

export const Log = Symbol('Log');
export type Log = Logger;

const secretName = String.raw`[\w-]{0,30}(?:password|passphrase|token|secret|authorization|cookie|credential)[\w-]{0,30}`;
const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;
const secrets: readonly [pattern: RegExp, replacement: string][] = [
  [new RegExp(String.raw`("${secretName}":)(?:${jsonText}|\[(?:${jsonText},?)*\])`, 'gi'), '$1"[removed]"'],
  [new RegExp(String.raw`(\\"${secretName}\\":\s*\\")(?:[^"\\]|\\[^"])*`, 'gi'), '$1[removed]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [removed]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[removed]'],
  [/(\/\/[^/:@\s"]*:)[^/@\s"]+@/g, '$1[removed]@'],
  [/([?&](?:token|code|state|[\w-]{0,30}(?:secret|signature))=)[^&\s"\\]+/gi, '$1[removed]'],
];

export function withoutSecrets(line: string): string {
  return secrets.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

export type LogOptions = {
  readonly service: string;
  readonly level?: string;
  readonly destination?: DestinationStream;
};

/** One for the process, so that lines of several loggers never mix. */
let standardOutput: DestinationStream | undefined;

export function createLog({ service, level = 'info', destination }: LogOptions): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFacts },
      hooks: { streamWrite: withoutSecrets },
      mixin: () => {
        const context = currentContext();
        return context ? { traceId: context.trace.traceId, spanId: context.trace.spanId } : {};
      },
    },
    destination ?? (standardOutput ??= pino.destination({ dest: 1, sync: false })),
  );
}

/** Other fields of errors quote rows (PostgreSQL's `detail`) or whole requests. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const parts = error instanceof AggregateError ? error.errors.map(String) : undefined;
  return { type, message, stack, code, constraint, table, parts };
}
