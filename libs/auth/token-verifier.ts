import type { KeyObject } from 'node:crypto';
import { Rejected } from '@caravan/event-store/rejected';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Claims, claimsSchema } from './claims.ts';
import type { KeySource } from './jwks.ts';

/** Who issues access tokens and for whom; the same for every process of an instance. */
export type TokenRules = { readonly issuer: string; readonly audience: string };

export const tokenType = 'at+jwt';
export const tokenAlgorithm = 'ES256';

// Nothing longer was ever issued; longer ones are not worth a look at their insides.
const maxTokenCharacters = 2_048;
const cachedTokens = 10_000;

/** The one refusal of a token, whatever is wrong with it: the reason helps only whoever forged it. */
export function refusedToken(): Rejected {
  return new Rejected('auth/token-refused', 'unauthenticated', 'Your session is not valid. Please sign in again.');
}

/** The bearer token of an Authorization header, undefined when there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}

/**
 * Checks access tokens: ES256 only, `typ` at+jwt, a key of our own by `kid`, issuer, audience, times and claims.
 * A verified token is remembered until it expires. Whether its session still lives is `SessionLiveness`'s question.
 */
export class TokenVerifier {
  private readonly verified = new LRUCache<string, Claims>({ max: cachedTokens });

  constructor(
    readonly rules: TokenRules,
    private readonly keys: KeySource,
  ) {}

  /** Throws `Rejected`: unauthenticated for a bad token, unavailable when no key can be had. */
  async verify(token: string): Promise<Claims> {
    const known = this.known(token);
    if (known) return known;
    const key = await this.keyOf(token);
    const { payload } = await jwtVerify(token, key, {
      algorithms: [tokenAlgorithm],
      typ: tokenType,
      issuer: this.rules.issuer,
      audience: this.rules.audience,
    }).catch(() => {
      throw refusedToken();
    });
    return this.remember(token, payload);
  }

  /** Claims of a token that was verified before and has not expired. */
  known(token: string): Claims | undefined {
    const claims = this.verified.get(token);
    return claims && claims.exp * 1_000 > Date.now() ? claims : undefined;
  }

  /** Takes the payload of a token whose signature, issuer, audience and times were checked. Throws `Rejected`. */
  remember(token: string, payload: unknown): Claims {
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) throw refusedToken();
    this.verified.set(token, claims.data);
    return claims.data;
  }

  /** The key that a token's header names, when the header is one of ours. Throws `Rejected`. */
  async keyOf(token: string): Promise<KeyObject> {
    const kid = kidOf(token);
    const key = kid === undefined ? undefined : await this.keys.keyOf(kid);
    if (!key) throw refusedToken();
    return key;
  }
}

/** `kid` of a header that says no more than `alg`, `typ` and `kid`: a header cannot bring keys (jku, jwk, x5c) or extensions. */
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
