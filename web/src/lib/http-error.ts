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

/** The place at which a page of a list begins is gone, as after a change of the server's key: begin again (D17). */
export const isBadCursor = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === 'page/bad-cursor';

/** Sentences about these are for programs that call the API. */
const isTechnical = ({ code = '' }: Partial<Problem>): boolean => code.startsWith('idempotency/');

/** What the server says to people about this error (D44), else `otherwise`. */
export function serverMessage(error: unknown, otherwise: string): string {
  const problem = error instanceof HttpError ? error.problem : null;
  const message = problem && !isTechnical(problem) ? problem.message : undefined;
  return typeof message === 'string' && message !== '' ? message : otherwise;
}

/** Which fields the server refused, with its words (D38); none where it said nothing of fields. */
export function fieldRefusals(error: unknown): { path: string; message: string }[] {
  const problem = error instanceof HttpError ? error.problem : null;
  return (problem && !isTechnical(problem) ? problem.errors : undefined) ?? [];
}
