import { HttpError } from './http-error.ts';

const firstMilliseconds = 1000;
const longestMilliseconds = 30_000;

/** How long to wait before the next try: twice as long after each failure, half a minute at most, never in step. */
export const backOffMilliseconds = (failures: number, chance = Math.random()): number =>
  Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds) * (0.75 + chance / 2);

/** Resolves after that time, or as soon as `signal` aborts; leaves nothing behind. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

type Ask = { readonly isOwn: boolean; readonly failures: number; readonly notBefore: number };

/** Whether the same ask may succeed later: the network was away, or a server had too much to do or was ill. */
const isTransient = (error: unknown): boolean =>
  error instanceof HttpError ? error.status >= 500 || error.status === 429 : error instanceof Error;

/** Asks of an open page that have not been answered; what failed is asked again after waits that grow to half a minute. */
export class RetrySchedule {
  private readonly asks = new Map<string, Ask>();

  recordAsk(hash: string, isOwn: boolean): void {
    const { failures, notBefore } = this.asks.get(hash) ?? { failures: 0, notBefore: 0 };
    this.asks.set(hash, { isOwn, failures, notBefore });
  }

  /** When to ask again; undefined for what was not asked by the page, and for an answer that will stay the same. */
  recordFailure(hash: string, error: unknown, { now, chance }: { now: number; chance: number }) {
    const ask = this.asks.get(hash);
    if (!ask || !isTransient(error)) {
      this.forget(hash);
      return undefined;
    }
    const failures = ask.failures + 1;
    const notBefore = now + backOffMilliseconds(failures, chance);
    this.asks.set(hash, { isOwn: ask.isOwn, failures, notBefore });
    return { at: notBefore, isOwn: ask.isOwn };
  }

  /** It was answered, or nobody shows it any more. */
  forget(hash: string): void {
    this.asks.delete(hash);
  }

  /** News does not shorten the wait. */
  notBefore(hash: string): number {
    return this.asks.get(hash)?.notBefore ?? 0;
  }

  /** Somebody has come back to the page and waits no longer. */
  hurry(): void {
    for (const [hash, ask] of this.asks) this.asks.set(hash, { ...ask, notBefore: 0 });
  }
}
