import { createHash, randomBytes } from 'node:crypto';
import { Invalid } from '@caravan/service-kit/problem';

/** What a mailed link proves itself with: 256 bits. Stored is its hash. */
export type MailedToken = { readonly text: string; readonly hash: Buffer };

export function newMailedToken(): MailedToken {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashOfMailedToken(text) };
}

// 256 random bits need no slow hash.
export function hashOfMailedToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const refusals = {
  email: 'This link is invalid, was used already or has expired.',
  reset: 'This link is invalid or has expired. Please request a new one.',
};

/** The same words for a link that never existed, was used, is too old, or was followed by a newer one. */
export function invalidLink(kind: keyof typeof refusals): Invalid {
  return new Invalid([{ path: 'token', message: refusals[kind] }], `${kind}/invalid-link`);
}
