import { createHash, randomBytes } from 'node:crypto';

/** What a mailed link proves itself with: 256 bits. Stored is its hash. */
export type ResetToken = { readonly text: string; readonly hash: Buffer };

export function newResetToken(): ResetToken {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashOfResetToken(text) };
}

// 256 random bits need no slow hash.
export function hashOfResetToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
