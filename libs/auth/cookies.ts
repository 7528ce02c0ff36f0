import { parseCookie, stringifySetCookie } from 'cookie';

/** The one cookie of the product: it carries the refresh token and works for refresh and logout only. */
export type RefreshCookie = {
  readonly name: string;
  /** The token a Cookie header brings, undefined when it brings none. */
  read(header: string | undefined): string | undefined;
  /** The Set-Cookie header that hands a token over until `expiresAt`. */
  write(token: string, expiresAt: Date): string;
  /** The Set-Cookie header that takes it back. */
  clear(): string;
};

/** `__Host-rt` (Secure) where people reach the product by https, `rt` on plain http, which refuses Secure cookies. */
export function refreshCookieOf(publicUrl: string): RefreshCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? '__Host-rt' : 'rt';
  const attributes = { httpOnly: true, secure, sameSite: 'strict', path: '/' } as const;
  return {
    name,
    read: (header) => (header === undefined ? undefined : parseCookie(header)[name] || undefined),
    write: (token, expiresAt) => stringifySetCookie({ name, value: token, ...attributes, expires: expiresAt }),
    clear: () => stringifySetCookie({ name, value: '', ...attributes, expires: new Date(0) }),
  };
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request that a cookie authenticates comes from our own pages. Browsers send Origin with every POST; what
 * sends neither Origin nor Sec-Fetch-Site is no browser and carries nobody else's cookies.
 */
export function isFromOwnPages(
  headers: { origin?: string | undefined; 'sec-fetch-site'?: string | undefined },
  publicUrl: string,
): boolean {
  if (headers.origin === undefined) return (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  const own = new URL(publicUrl);
  if (origin.origin === own.origin) return true;
  // A developer's machine has several names; none of them is anybody else's.
  const isLoopback = loopbackHosts.has(origin.hostname) && loopbackHosts.has(own.hostname);
  return isLoopback && origin.protocol === own.protocol && origin.port === own.port;
}
