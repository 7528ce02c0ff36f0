import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const secretBytes = 32;

/**
 * A refresh token is `<organisation>.<256 bits>`: it names its organisation, so that it is looked up among that
 * organisation's rows only. Stored is its hash.
 */
export type RefreshToken = { readonly text: string; readonly orgId: string; readonly hash: Buffer };

/** Makes refresh tokens. The next one follows from the one before, so that a repeated request gets the same answer. */
export class RefreshTokens {
  private readonly key: Buffer;

  constructor(keyEncryptionKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'caravan refresh tokens', secretBytes));
  }

  first(orgId: string): RefreshToken {
    return tokenOf(orgId, randomBytes(secretBytes));
  }

  /** The one that a token is exchanged for. Without the key it cannot be told from the token. */
  after(token: RefreshToken): RefreshToken {
    return tokenOf(token.orgId, createHmac('sha256', this.key).update(token.text).digest());
  }
}

const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

export function readRefreshToken(text: string | undefined): RefreshToken | undefined {
  const [, orgId] = pattern.exec(text ?? '') ?? [];
  return text === undefined || orgId === undefined ? undefined : { text, orgId, hash: hashOf(text) };
}

function tokenOf(orgId: string, secret: Buffer): RefreshToken {
  const text = `${orgId}.${secret.toString('base64url')}`;
  return { text, orgId, hash: hashOf(text) };
}

// 256 random bits need no slow hash.
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
