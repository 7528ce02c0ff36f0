import type { KeyObject } from 'node:crypto';
import { Rejected } from '@caravan/kernel/rejected';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Claims, claimsSchema } from './claims.ts';
import type { KeySource } from './jwks.ts';

export type TokenRules = { readonly issuer: string; readonly audience: string };

export const tokenType = 'at+jwt';
export const tokenAlgorithm = 'ES256';

const maxTokenCharacters = 2_048;
const cachedTokens = 10_000;

/** The fault of a token: told to operators, never to the caller. */
export type TokenFault = 'missing' | 'malformed' | 'unknown-key' | 'bad-signature' | 'wrong-claims' | 'expired';

/** One answer whatever is wrong: the fault helps only whoever forged the token. */
export class RefusedToken extends Rejected {
  constructor(readonly fault: TokenFault) {
    const isMissing = fault === 'missing';
    const message = isMissing ? 'Please sign in.' : 'Your session is not valid. Please sign in again.';
    super(isMissing ? 'auth/no-token' : 'auth/token-refused', 'unauthenticated', message);
  }
}

const faultOfJose: Readonly<Record<string, TokenFault>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'wrong-claims',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'bad-signature',
};

/** @param error of jose, which says what it is by its code */
function faultOf(error: unknown): TokenFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return faultOfJose[code] ?? 'malformed';
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}

export class TokenVerifier {
  private readonly verified = new LRUCache<string, Claims>({ max: cachedTokens });

  constructor(
    readonly rules: TokenRules,
    private readonly keys: KeySource,
  ) {}

  async verify(token: string): Promise<Claims> {
    const known = this.cachedClaims(token);
    if (known) return known;
    const key = await this.keyOf(token);
    const { payload } = await jwtVerify(token, key, {
      algorithms: [tokenAlgorithm],
      typ: tokenType,
      issuer: this.rules.issuer,
      audience: this.rules.audience,
    }).catch((error: unknown) => {
      throw new RefusedToken(faultOf(error));
    });
    return this.remember(token, payload);
  }

  cachedClaims(token: string): Claims | undefined {
    const claims = this.verified.get(token);
    return claims && claims.exp * 1_000 > Date.now() ? claims : undefined;
  }

  remember(token: string, payload: unknown): Claims {
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) throw new RefusedToken('wrong-claims');
    this.verified.set(token, claims.data);
    return claims.data;
  }

  async keyOf(token: string): Promise<KeyObject> {
    const kid = kidOf(token);
    if (kid === undefined) throw new RefusedToken('malformed');
    const key = await this.keys.keyOf(kid);
    if (!key) throw new RefusedToken('unknown-key');
    return key;
  }
}

/** A header cannot bring keys (jku, jwk, x5c) or extensions. */
function kidOf(token: string): string | undefined {
  if (token.length > maxTokenCharacters) return undefined;
  try {
    const { alg, typ, kid, ...others } = decodeProtectedHeader(token);
    const isOurs = alg === tokenAlgorithm && typ === tokenType && Object.keys(others).length === 0;
    return isOurs ? kid : undefined;
  } catch {
    return undefined;
  }
}
