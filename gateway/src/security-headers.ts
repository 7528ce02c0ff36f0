const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const hsts = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' };

export function apiHeaders(isHttps: boolean): Record<string, string> {
  return { ...always, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", ...(isHttps && hsts) };
}

/** Scripts come from this origin or carry a listed hash; Trusted Types keep markup from becoming script (S11). */
export function pageHeaders(options: {
  scriptHashes: readonly string[];
  isHttps: boolean;
  /** Where browsers send files themselves. */
  storageOrigin?: string | undefined;
}): Record<string, string> {
  const scripts = ["'self'", ...options.scriptHashes.map((hash) => `'${hash}'`)].join(' ');
  return {
    ...always,
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
    ].join('; '),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=(), screen-wake-lock=(self)',
    ...(options.isHttps && hsts),
  };
}
