import { Rejected } from '@caravan/kernel/rejected';

/** Transient passes by itself, refused is what the rules say no to, permanent is a defect. */
export type Failure = {
  readonly is: 'transient' | 'refused' | 'permanent';
  readonly code: string;
  readonly message: string;
};

// SQLSTATE: connection, resources, server going away, rollback, I/O, lock, idle timeout, read-only.
const transientStates = /^(08|53|40|58|57P)..+$|^(55P03|25P03|25P04|25006)$/;
const transientCodes = /^(ECONN|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ENETUNREACH$)/;
// What `pg` says without a code when its connection went away.
const lostConnection = /connection terminated|connection error|client was closed|timeout exceeded|read timeout/i;

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

const topicTries = 600;
const topicPauseMs = 50;

/** Brokers are still at it. */
export class TopicUnsettled extends Error {
  override readonly name = 'TopicUnsettled';
}

/** Tries again while brokers do not agree yet on a topic that was created, or deleted, a moment ago. */
export async function untilTopicSettles<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = topicTries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        error instanceof TopicUnsettled ||
        (error instanceof Error && /not the leader|no leader|does not host|UNKNOWN_TOPIC/i.test(error.message));
      if (!isPassing || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, topicPauseMs));
    }
  }
}

function partsOf(error: unknown) {
  if (!(error instanceof Error)) return { code: '', name: typeof error, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, name: error.name, message: error.message };
}

export class AsyncEvent {
  private flag = false;
  private end: (() => void) | undefined;

  isSet(): boolean {
    return this.flag;
  }

  set(): void {
    this.flag = true;
    this.end?.();
  }

  reset(): void {
    this.flag = false;
  }

  async wait(milliseconds: number): Promise<boolean> {
    if (!this.flag) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.end = undefined;
    }
    return this.flag;
  }
}
