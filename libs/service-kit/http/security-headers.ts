/** On every answer of every process, whatever the answer is (S11). The gateway's pages have a policy of their own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** No browser and no proxy keeps what belongs to one person. Answers that may be kept say so themselves. */
export const uncached: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };
