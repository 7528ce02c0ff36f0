import { isOutsideHost } from '@caravan/service-kit/http/network';

/**
 * Why nothing is sent to an address that a browser, or somebody in its place, named; undefined when there is no reason.
 * What its name leads to is looked at when it is asked (S30).
 */
export function refusalOf(endpoint: string, mayBePrivate: boolean): string | undefined {
  if (mayBePrivate) return undefined;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== 'https:') return 'The endpoint must start with https://';
  if (username !== '' || password !== '') return 'The endpoint must name no user';
  if (port !== '') return 'The endpoint must be at the usual port';
  return isOutsideHost(hostname) ? undefined : 'The endpoint must be in the open internet';
}

const firstRestSeconds = 30;
const longestRestSeconds = 3_600;
export const mostAttempts = 6;

/** @param attempts made so far; @param wishedSeconds what the push service asked for */
export function restSeconds(attempts: number, wishedSeconds = 0): number {
  const own = firstRestSeconds * 2 ** (attempts - 1);
  return Math.min(Math.max(own, wishedSeconds), longestRestSeconds);
}

/** `gone`: the browser takes nothing there any more. `later`: another attempt may help. */
export type PushResult = 'arrived' | 'gone' | 'later' | 'refused';

/** What a push service's answer means (RFC 8030). */
export function resultOf(status: number): PushResult {
  if (status >= 200 && status < 300) return 'arrived';
  if (status === 404 || status === 410) return 'gone';
  // A redirection is followed nowhere: it could lead inside.
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'refused';
}
