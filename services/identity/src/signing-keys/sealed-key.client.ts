import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { type PublicJwk, publicJwkSchema } from '@caravan/auth/jwks';
import { tokenAlgorithm } from '@caravan/auth/token-verifier';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export type SealedKey = { readonly kid: string; readonly publicJwk: PublicJwk; readonly sealed: Buffer };

/** Makes an ES256 key pair whose private half only `key` (32 bytes) opens. */
export function makeSealedKey(kid: string, key: Buffer): SealedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicJwkSchema.parse({
    ...publicKey.export({ format: 'jwk' }),
    alg: tokenAlgorithm,
    use: 'sig',
    kid,
  });
  const nonce = randomBytes(nonceBytes);
  // The kid is sealed in: a private half cannot be passed off as another key's.
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(kid));
  const secret = encryption.update(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const sealed = Buffer.concat([nonce, secret, encryption.final(), encryption.getAuthTag()]);
  return { kid, publicJwk, sealed };
}

/** Opens a private half. Throws when `key` is another than the one that sealed it. */
export function openSealedKey(kid: string, sealed: Buffer, key: Buffer): KeyObject {
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(kid))
    .setAuthTag(sealed.subarray(-tagBytes));
  const der = Buffer.concat([decryption.update(sealed.subarray(nonceBytes, -tagBytes)), decryption.final()]);
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
}
