import type { Problem } from '@caravan/contracts/http/problem';

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** A refusal that the gateway speaks itself; everything else comes from the service that owns the path. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The problem document of a refusal (RFC 9457, D4). */
export function problemOf({ status, code, message }: Pick<Refused, 'status' | 'code' | 'message'>, instance: string): Problem {
  const title = titles[status] ?? 'Error';
  return { type: `urn:caravan:problem:${code}`, title, status, message, detail: message, code, instance };
}
