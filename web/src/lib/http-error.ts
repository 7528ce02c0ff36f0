import type { Problem } from '@caravan/contracts/http/problem';

/** An answer that is not OK. Its message is `status: body`, or the status text where the body is empty. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** The problem document, where the answer carried one. */
  readonly problem: Partial<Problem> | null;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.problem = problemOf(body);
  }
}

/** The session has ended: 401 or 403. The token is gone and the login screen on its way. */
export class SignedOutError extends HttpError {}

function problemOf(body: string): Partial<Problem> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** What the server says to people about this error (D44), else `otherwise`. */
export function serverMessage(error: unknown, otherwise: string): string {
  const message = error instanceof HttpError ? error.problem?.message : undefined;
  return typeof message === 'string' && message !== '' ? message : otherwise;
}

/** Which fields the server refused, with its words (D38); none where it said nothing of fields. */
export const fieldRefusals = (error: unknown): { path: string; message: string }[] =>
  (error instanceof HttpError ? error.problem?.errors : undefined) ?? [];
