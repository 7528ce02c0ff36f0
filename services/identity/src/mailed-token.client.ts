import { createHash, randomBytes } from 'node:crypto';

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
