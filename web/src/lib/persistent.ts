import { pause } from './backoff.ts';
import { HttpError } from './http-error.ts';

/** How long to wait before the tries after the first (9.26). */
export const retryMilliseconds: readonly number[] = [0, 1000, 3000, 5000];

/** What the storage calls an address that is too old, in its words. */
export const addressExpired = 'Request has expired';

/** What a file transfer fails with: the request it was, with status 0 where no answer came. */
type Transfer = { readonly status?: number; getResponseHeader?: (name: string) => string | null };

const transferOf = (error: unknown): Transfer | undefined =>
  error instanceof Error ? (error as Error & { source?: Transfer }).source : undefined;

export const isExpired = (error: unknown): boolean =>
  error instanceof Error && error.message === addressExpired && transferOf(error)?.status === 403;

/** What the server refused stays refused; what its limits or an outage refused may succeed later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'AbortError') return false;
  // Limits of calls are waited for by `sessionFetch` already, as far as they are worth it.
  if (error instanceof HttpError) return error.status >= 500;
  const { status = 0 } = transferOf(error) ?? {};
  return status === 0 || status === 409 || status === 429 || status >= 500 || isExpired(error);
}

function secondsAsked(error: unknown): number {
  const transfer = transferOf(error);
  return transfer?.status === 429 ? Number(transfer.getResponseHeader?.('retry-after') ?? 0) || 0 : 0;
}

/**
 * Does it again after what passes: at once, then after waits that grow, and for nothing while there is no network: then
 * it goes on when that is back, however long it takes (4.41, 8.15). Throws what is left.
 */
export async function persistently<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 0; ;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      if (navigator.onLine) {
        const milliseconds = retryMilliseconds[tries];
        if (milliseconds === undefined) throw error;
        tries += 1;
        await pause(Math.max(milliseconds, secondsAsked(error) * 1000), signal);
      } else await untilOnline(signal);
      signal.throwIfAborted();
    }
  }
}

function untilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = new AbortController();
    const finish = () => {
      end.abort();
      resolve();
    };
    addEventListener('online', finish, { signal: end.signal });
    signal.addEventListener('abort', finish, { signal: end.signal });
  });
}
