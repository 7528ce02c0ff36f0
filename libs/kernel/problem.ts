import type { Problem } from '@caravan/contracts/http/problem';
import { Rejected, type RejectionKind } from './rejected.ts';

/** Well-formed, but not what the operation takes (422, D38). */
export class Invalid extends Rejected {
  readonly errors: readonly { path: string; message: string }[];

  constructor(errors: readonly { path: string; message: string }[], code = 'request/invalid') {
    super(code, 'invalid', errors[0]?.message ?? 'This request is not valid');
    this.errors = errors;
  }
}

export type ProblemAnswer = {
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  readonly isFault: boolean;
};

const statusOfKind: Record<RejectionKind, number> = {
  'not-found': 404,
  conflict: 409,
  stale: 412,
  malformed: 400,
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'too-many': 429,
  unavailable: 503,
  'too-large': 413,
  'too-slow': 408,
  'no-length': 411,
};

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timeout',
  409: 'Conflict',
  411: 'Length required',
  412: 'Precondition failed',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported content type',
  417: 'Expectation failed',
  422: 'Not valid',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
};

/** Fastify's and Nest's own messages may quote the request. */
const refusals: Record<number, { code: string; message: string }> = {
  400: { code: 'request/malformed', message: 'The request could not be read' },
  401: { code: 'auth/unauthenticated', message: 'Please sign in' },
  403: { code: 'auth/forbidden', message: 'You are not allowed to do this' },
  404: { code: 'request/not-found', message: 'Not found' },
  405: { code: 'request/method-not-allowed', message: 'This method is not supported here' },
  406: { code: 'request/not-acceptable', message: 'No answer in an accepted form exists' },
  408: { code: 'request/timeout', message: 'The request took too long to arrive' },
  413: { code: 'request/too-large', message: 'The request is too large' },
  414: { code: 'request/address-too-long', message: 'The address is too long' },
  415: { code: 'request/unsupported-content-type', message: 'The content type must be application/json' },
  417: { code: 'request/expectation-failed', message: 'What Expect asks for cannot be done' },
  429: { code: 'request/too-many', message: 'Too many requests. Please try again later.' },
  431: { code: 'request/headers-too-large', message: 'The headers are too large' },
  503: { code: 'service/unavailable', message: 'This is not available right now. Please try again.' },
};

const byFastifyCode: Record<string, { code: string; message: string }> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'request/not-json', message: 'The body must be JSON' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'request/not-json', message: 'The body must be JSON' },
};

/** Seconds until a retry, by status, where an error names none. */
const usualRetryAfter: Record<number, number | undefined> = { 429: 60, 503: 2 };

export function problemOf(error: unknown, where: { instance?: string; traceId?: string } = {}): ProblemAnswer {
  const { status, code, message, errors, retryAfterSeconds } = read(error);
  const problem: Problem = {
    type: `urn:caravan:problem:${code}`,
    title: titles[status] ?? 'Error',
    status,
    message,
    detail: message,
    code,
    ...(where.instance !== undefined && { instance: where.instance }),
    ...(where.traceId !== undefined && { traceId: where.traceId }),
    ...(errors && { errors: [...errors] }),
  };
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return { status, problem, headers, isFault: status >= 500 && !(error instanceof Rejected) };
}

type Reading = {
  status: number;
  code: string;
  message: string;
  errors?: Invalid['errors'];
  retryAfterSeconds?: number;
};

function read(error: unknown): Reading {
  if (error instanceof Rejected) return readRejected(error);
  if (isAway(error)) return refusal(503);
  if (isUnstorableText(error))
    return { status: 422, code: 'request/invalid', message: 'Text contains characters that cannot be stored' };
  const cause = property(error, 'cause');
  for (const candidate of [error, cause]) {
    const known = byFastifyCode[String(property(candidate, 'code'))];
    if (known) return { status: 400, ...known };
  }
  const status = statusOf(error);
  return status === undefined ? internal : refusal(status);
}

const internal: Reading = {
  status: 500,
  code: 'service/internal',
  message: 'Something went wrong on our side. Please try again.',
};

function readRejected(error: Rejected): Reading {
  const status = statusOfKind[error.kind];
  const retryAfterSeconds = error.retryAfterSeconds ?? usualRetryAfter[status];
  return {
    status,
    code: error.code,
    message: error.message,
    ...(error instanceof Invalid && { errors: error.errors }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function refusal(status: number): Reading {
  const known = refusals[status];
  if (!known) return status >= 500 ? internal : { status, code: 'request/refused', message: 'The request was refused' };
  const retryAfterSeconds = usualRetryAfter[status];
  return { status, ...known, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

function statusOf(error: unknown): number | undefined {
  const getStatus = property(error, 'getStatus');
  const status =
    typeof getStatus === 'function' ? (getStatus as () => unknown).call(error) : property(error, 'statusCode');
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined;
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL: too many connections, shutdowns, cannot connect now, idle transaction ended.
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
  '57014',
]);

/** Cannot be reached, is restarting, or had no connection in time: 503, try again. */
export function isAway(error: unknown): boolean {
  const code = property(error, 'code');
  if (typeof code === 'string' && (connectionCodes.has(code) || code.startsWith('08'))) return true;
  const message = property(error, 'message');
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return typeof message === 'string' && lostConnection.test(message);
}

const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Stream isn't writeable and enableOfflineQueue|Connection is closed|Command timed out|Reached the max retries per request limit)/;

/** NUL and broken UTF-8 pass JSON but no PostgreSQL text or jsonb column. */
function isUnstorableText(error: unknown): boolean {
  const code = property(error, 'code');
  return code === '22021' || code === '22P05';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
