import { securityHeaders, uncached } from '@caravan/service-kit/http/security-headers';

const hsts = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' };

export function apiHeaders(isHttps: boolean): Record<string, string> {
  return { ...uncached, ...securityHeaders, ...(isHttps && hsts) };
}

/** Names of Trusted Types policies; `web/src/lib/push.ts` creates them. */
const trustedTypes = ['push-worker'];

/** Scripts come from this origin or carry a listed hash; Trusted Types keep markup from becoming script (S11). */
export function pageHeaders(options: {
  scriptHashes: readonly string[];
  isHttps: boolean;
  /** Where browsers send files themselves. */
  storageOrigin?: string | undefined;
}): Record<string, string> {
  const scripts = ["'self'", ...options.scriptHashes.map((hash) => `'${hash}'`)].join(' ');
  return {
    ...securityHeaders,
    'content-security-policy': [
      "default-src 'self'",
      `script-src ${scripts}`,
      // Radix positions its layers by style attributes.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      ["connect-src 'self'", ...(options.storageOrigin === undefined ? [] : [options.storageOrigin])].join(' '),
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      `trusted-types ${trustedTypes.join(' ')}`,
    ].join('; '),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=(), screen-wake-lock=(self)',
    ...(options.isHttps && hsts),
  };
}
