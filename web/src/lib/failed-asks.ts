import { HttpError } from './http-error.ts';
import { backOffMilliseconds } from './pause.ts';

type Ask = { readonly isOwn: boolean; readonly failures: number; readonly notBefore: number };

/** Whether the same ask may succeed later: the network was away, or a server had too much to do or was ill. */
export const isPassing = (error: unknown): boolean =>
  error instanceof HttpError ? error.status >= 500 || error.status === 429 : error instanceof Error;

/** Asks of an open page that have not been answered; what failed is asked again after waits that grow to half a minute. */
export class FailedAsks {
  private readonly asks = new Map<string, Ask>();

  asked(hash: string, isOwn: boolean): void {
    const { failures, notBefore } = this.asks.get(hash) ?? { failures: 0, notBefore: 0 };
    this.asks.set(hash, { isOwn, failures, notBefore });
  }

  /** When to ask again; undefined for what was not asked by the page, and for an answer that will stay the same. */
  failed(hash: string, error: unknown, { now, chance }: { now: number; chance: number }) {
    const ask = this.asks.get(hash);
    if (!ask || !isPassing(error)) {
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
