import { Rejected } from '@caravan/event-store/rejected';

/**
 * Why a message was not applied. Transient: the same message will pass once PostgreSQL or Kafka is back. Refused: the
 * rules say no, now and later. Permanent: a defect, of the message or of the code.
 */
export type Failure = {
  readonly is: 'transient' | 'refused' | 'permanent';
  readonly code: string;
  readonly message: string;
};

// SQLSTATE: connection, resources, server going away, rollback, I/O, lock not available, idle timeout, read-only.
const transientStates = /^(08|53|40|58|57P)..+$|^(55P03|25P03|25P04|25006)$/;
const transientCodes = /^(ECONN|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ENETUNREACH$)/;
// What `pg` says without a code when its connection went away.
const lostConnection = /connection terminated|connection error|client was closed|timeout exceeded|read timeout/i;

/** Sorts an error into what a consumer does about it: try again, or park. */
export function classifyError(error: unknown): Failure {
  const { code, name, message } = partsOf(error);
  if (error instanceof Rejected) {
    const isTransient = error.kind === 'unavailable' || error.kind === 'too-many';
    return { is: isTransient ? 'transient' : 'refused', code: error.code, message };
  }
  const isTransient =
    transientStates.test(code) ||
    transientCodes.test(code) ||
    name.startsWith('KafkaJS') ||
    (code === '' && lostConnection.test(message));
  return { is: isTransient ? 'transient' : 'permanent', code: code || name, message };
}

/** Milliseconds to wait before try `failures + 1`: 100 doubled each time, at most `maxMs`. */
export function backoffMs(failures: number, maxMs = 10_000): number {
  return Math.min(100 * 2 ** Math.max(failures - 1, 0), maxMs);
}

function partsOf(error: unknown) {
  if (!(error instanceof Error)) return { code: '', name: typeof error, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, name: error.name, message: error.message };
}
