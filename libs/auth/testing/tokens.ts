import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { SignJWT } from 'jose';
import type { Claims } from '../claims.ts';
import { jwksSchema, type KeySource, type PublicJwk } from '../jwks.ts';
import { tokenAlgorithm, tokenType } from '../token-verifier.ts';

/** A key pair as identity would hold it, for tests. */
export type TestKey = { readonly kid: string; readonly privateKey: KeyObject; readonly publicJwk: PublicJwk };

/** Makes an ES256 key pair. */
export function testKey(kid = `test-${randomUUID()}`): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: tokenAlgorithm, use: 'sig', kid };
  const [publicJwk] = jwksSchema.parse({ keys: [jwk] }).keys;
  if (!publicJwk) throw new Error('no key');
  return { kid, privateKey, publicJwk };
}

/** A key source that knows exactly these keys. */
export function testKeys(...keys: readonly TestKey[]): KeySource {
  const byKid = new Map(keys.map(({ kid, publicJwk }) => [kid, createPublicKey({ key: publicJwk, format: 'jwk' })]));
  return { keyOf: (kid) => Promise.resolve(byKid.get(kid)) };
}

export const testRules = { issuer: 'https://caravan.test', audience: 'caravan' };

/** Claims of an ordinary member for the next hour; anything can be overridden, `undefined` leaves a claim out. */
export function testClaims(overrides: { [Name in keyof Claims]?: unknown } & Record<string, unknown> = {}) {
  const now = Math.floor(Date.now() / 1_000);
  return {
    sub: randomUUID(),
    sid: randomUUID(),
    org: randomUUID(),
    role: 'member',
    iss: testRules.issuer,
    aud: testRules.audience,
    iat: now,
    exp: now + 3_600,
    jti: randomUUID(),
    ...overrides,
  };
}

/** Signs claims as identity does; `header` adds to or overrides the protected header. */
export function signTestToken(key: TestKey, claims: object = testClaims(), header: object = {}): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid: key.kid, ...header })
    .sign(key.privateKey);
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Every way known to us to forge a token for `key`'s owner: each must be refused (S02, S03). By title. */
export async function forgedTokens(key: TestKey): Promise<Record<string, string>> {
  const claims = testClaims();
  const header = { alg: tokenAlgorithm, typ: tokenType, kid: key.kid };
  const foreign = testKey();
  const good = await signTestToken(key, claims);
  const [head = '', , signature = ''] = good.split('.');
  const publicPem = createPublicKey({ key: key.publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const hmacInput = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
  const now = Math.floor(Date.now() / 1_000);
  return {
    'alg none without signature': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
    'alg none with the signature kept': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.${signature}`,
    'HS256 with the public key as secret': `${hmacInput}.${createHmac('sha256', publicPem).update(hmacInput).digest('base64url')}`,
    'a kid nobody knows': await signTestToken(foreign, claims),
    'our kid over a foreign signature': await signTestToken(foreign, claims, { kid: key.kid }),
    'no kid': await signTestToken(key, claims, { kid: undefined }),
    'jku that names a foreign key set': await signTestToken(foreign, claims, { jku: 'https://evil.example/jwks.json' }),
    'jku beside our own kid': await signTestToken(key, claims, { jku: 'https://evil.example/jwks.json' }),
    'jwk that brings its own key': await signTestToken(foreign, claims, { jwk: foreign.publicJwk }),
    'wrong typ': await signTestToken(key, claims, { typ: 'JWT' }),
    'no typ': await signTestToken(key, claims, { typ: undefined }),
    'wrong audience': await signTestToken(key, { ...claims, aud: 'another-product' }),
    'no audience': await signTestToken(key, { ...claims, aud: undefined }),
    'wrong issuer': await signTestToken(key, { ...claims, iss: 'https://evil.example' }),
    expired: await signTestToken(key, { ...claims, iat: now - 7_200, exp: now - 60 }),
    'no expiry': await signTestToken(key, { ...claims, exp: undefined }),
    'not yet valid': await signTestToken(key, { ...claims, nbf: now + 600 }),
    'payload changed after signing': `${head}.${encode({ ...claims, role: 'admin' })}.${signature}`,
    'signature cut': good.slice(0, -8),
    'no session': await signTestToken(key, { ...claims, sid: undefined }),
    'a role that does not exist': await signTestToken(key, { ...claims, role: 'owner' }),
    'a person that is no id': await signTestToken(key, { ...claims, sub: "' or 1=1 --" }),
    'longer than any of ours': await signTestToken(key, { ...claims, padding: 'x'.repeat(4_000) }),
    'not a token at all': 'eyJhbGciOiJFUzI1NiJ9',
  };
}
