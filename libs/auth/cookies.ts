import type { CookieUse } from '@caravan/contracts/http/operations/operation';
import { parseCookie, stringifySetCookie } from 'cookie';

export type ProductCookie = {
  readonly name: string;
  read(header: string | undefined): string | undefined;
  write(value: string, expiresAt: Date): string;
  clear(): string;
};

const shortNames: Readonly<Record<CookieUse, string>> = {
  refresh: 'rt',
  device: 'device',
  connect: 'connect',
};

const isSecure = (publicUrl: string) => new URL(publicUrl).protocol === 'https:';

export function cookieNameOf(use: CookieUse, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${shortNames[use]}` : shortNames[use];
}

export function onlyCookies(header: string | undefined, names: readonly string[]): string | undefined {
  if (header === undefined || names.length === 0) return undefined;
  const kept = header.split(';').filter((pair) => names.includes(pair.split('=', 1)[0]?.trim() ?? ''));
  return kept.length === 0 ? undefined : kept.map((pair) => pair.trim()).join('; ');
}

export const refreshCookieOf = (publicUrl: string): ProductCookie => cookieOf('refresh', publicUrl);

/** A platform sends the browser back from its own pages, and strict cookies stay away then. */
const laxUses: ReadonlySet<CookieUse> = new Set(['connect']);

/** `__Host-` demands Secure, which browsers refuse on plain http. */
export function cookieOf(use: CookieUse, publicUrl: string): ProductCookie {
  const secure = isSecure(publicUrl);
  const name = cookieNameOf(use, publicUrl);
  const sameSite = laxUses.has(use) ? 'lax' : 'strict';
  const attributes = { httpOnly: true, secure, sameSite, path: '/' } as const;
  return {
    name,
    read: (header) => (header === undefined ? undefined : parseCookie(header)[name] || undefined),
    write: (value, expiresAt) => stringifySetCookie({ name, value, ...attributes, expires: expiresAt }),
    clear: () => stringifySetCookie({ name, value: '', ...attributes, expires: new Date(0) }),
  };
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Browsers send Origin with every POST; who sends neither header is no browser and carries nobody else's cookies. */
export function isFromOwnPages(
  headers: { origin?: string | undefined; 'sec-fetch-site'?: string | undefined },
  publicUrl: string,
): boolean {
  if (headers.origin === undefined) return (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  const own = new URL(publicUrl);
  if (origin.origin === own.origin) return true;
  const isLoopback = loopbackHosts.has(origin.hostname) && loopbackHosts.has(own.hostname);
  return isLoopback && origin.protocol === own.protocol && origin.port === own.port;
}
