import type { QueryClient } from '@tanstack/react-query';
import { pause } from './backoff.ts';
import { HttpError } from './http-error.ts';
import { meQuery } from './me.ts';
import { onSessionChange, storedToken } from './session-state.ts';

export type Closing = { readonly signal: AbortSignal; readonly close: () => void };

/** Closes with `signal` too, which outlives many streams and keeps nothing of those that are closed. */
export function closingWith(signal: AbortSignal): Closing {
  const stop = new AbortController();
  const close = () => {
    signal.removeEventListener('abort', close);
    stop.abort();
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  return { signal: stop.signal, close };
}

/** Resolves when somebody comes back to this tab, or `signal` aborts. */
export function personReturns(signal: AbortSignal): Promise<void> {
  const waiting = closingWith(signal);
  return new Promise<void>((resolve) => {
    const listening = { signal: waiting.signal };
    addEventListener('focus', () => resolve(), listening);
    document.addEventListener('visibilitychange', () => document.hidden || resolve(), listening);
    waiting.signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
  }).finally(waiting.close);
}

const accountMilliseconds = 60_000;

/** Guests see nothing of the organisation, so the stream is refused to them until their address is confirmed (D54). */
export const isRefusedToGuests = (error: unknown): boolean =>
  error instanceof HttpError && error.problem?.code === 'email/unconfirmed';

/**
 * Resolves when the person may be a guest no longer: there is another token than the refused one, or the account says so.
 * The account is read when the person returns to the tab, and once a minute while they look at it.
 */
export async function letIn(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const refused = storedToken();
  const isWaiting = () => !signal.aborted && storedToken() === refused;
  while (isWaiting()) {
    const waiting = closingWith(signal);
    const awaited = [sessionChanges, personReturns, (until: AbortSignal) => pause(accountMilliseconds, until)];
    await Promise.race(awaited.map((begin) => begin(waiting.signal))).finally(waiting.close);
    if (!isWaiting() || document.hidden) continue;
    await queryClient.refetchQueries({ queryKey: meQuery.queryKey, exact: true });
    if (queryClient.getQueryData(meQuery.queryKey)?.isGuest === false) return;
  }
}

/** In this tab or, by what all tabs store, in another. */
function sessionChanges(signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve) => {
    const stopFollowing = onSessionChange(resolve);
    addEventListener('storage', () => resolve(), { signal });
    signal.addEventListener('abort', stopFollowing, { once: true });
  });
}
