import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypted by `key` (32 bytes), and bound to what it is: it opens as nothing else. Nonce, secret and tag in one. */
export function seal(secret: Buffer, key: Buffer, what: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(what));
  return Buffer.concat([nonce, encryption.update(secret), encryption.final(), encryption.getAuthTag()]);
}

/** Throws where another key, as something else, or what was changed is opened. */
export function unseal(sealed: Uint8Array, key: Buffer, what: string): Buffer {
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(what))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decryption.update(sealed.subarray(nonceBytes, -tagBytes)), decryption.final()]);
}
