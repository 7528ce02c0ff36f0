import { Rejected } from '@caravan/kernel/rejected';

/** What PostgreSQL or the way to it said, with its code, as `pg` itself would have thrown it. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';

  constructor(
    message: string,
    readonly code: string,
    readonly constraint: string | undefined,
  ) {
    super(message);
  }
}

const codes: Readonly<Record<string, string>> = {
  DatabaseNotReachable: 'ECONNREFUSED',
  ConnectionClosed: 'ECONNRESET',
  SocketTimeout: 'ETIMEDOUT',
};

/** Prisma wraps what the driver threw in codes of its own; the rest of the house knows PostgreSQL's. */
export function asOfPostgres(error: unknown): unknown {
  const refused = at(error, 'code');
  // What the pool refuses comes back with its code and its words, and as nothing that is known.
  if (typeof refused === 'string' && refused.startsWith('service/'))
    return new Rejected(refused, 'unavailable', lastLineOf(error), { retryAfterSeconds });
  const cause = at(at(at(error, 'meta'), 'driverAdapterError'), 'cause');
  const code = at(cause, 'originalCode') ?? codes[String(at(cause, 'kind'))];
  if (typeof code !== 'string') return error;
  const constraint = at(at(cause, 'constraint'), 'index');
  const message = String(at(cause, 'originalMessage') ?? at(cause, 'kind'));
  return new DatabaseError(message, code, typeof constraint === 'string' ? constraint : undefined);
}

const retryAfterSeconds = 2;
const lastLineOf = (error: unknown): string => String(at(error, 'message')).trim().split('\n').at(-1) ?? '';

/** Another row has what must be unique. */
export const isTaken = (error: unknown): boolean => at(error, 'code') === '23505';

/** What was to be changed or deleted by its key is not there. */
export const isMissing = (error: unknown): boolean => at(error, 'code') === 'P2025';

const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
