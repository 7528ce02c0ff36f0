import { afterEach, describe, expect, test, vi } from 'vitest';
import { forgedTokens, signTestToken, testClaims, testKey, testKeys, testRules } from './testing/tokens.ts';
import { bearerOf, TokenVerifier } from './token-verifier.ts';

const key = testKey();
const standby = testKey();
const verifier = new TokenVerifier(testRules, testKeys(key, standby));

afterEach(() => vi.useRealTimers());

describe('a token of ours', () => {
  test('[S03] is accepted with its claims', async () => {
    const claims = testClaims({ role: 'admin' });
    expect(await verifier.verify(await signTestToken(key, claims))).toEqual(claims);
  });

  test('[S02] is accepted under every published key', async () => {
    const claims = testClaims();
    expect(await verifier.verify(await signTestToken(standby, claims))).toEqual(claims);
  });

  test('[S03] may name several audiences, ours among them', async () => {
    const token = await signTestToken(key, testClaims({ aud: ['another-product', testRules.audience] }));
    await expect(verifier.verify(token)).resolves.toBeDefined();
  });

  test('[S03] is remembered, but not a moment longer than it is valid', async () => {
    const token = await signTestToken(key, testClaims({ exp: Math.floor(Date.now() / 1_000) + 60 }));
    await verifier.verify(token);
    expect(verifier.cachedClaims(token)).toBeDefined();
    vi.useFakeTimers({ now: Date.now() + 70_000, toFake: ['Date'] });
    expect(verifier.cachedClaims(token)).toBeUndefined();
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'auth/token-refused' });
  });
});

describe('a forged token', async () => {
  test.each(Object.entries(await forgedTokens(key)))('[S02 S03] is refused: %s', async (_, token) => {
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'auth/token-refused', kind: 'unauthenticated' });
    expect(verifier.cachedClaims(token)).toBeUndefined();
  });
});

test('[6.3] the bearer token is taken from the Authorization header alone, whatever the case of its scheme', () => {
  expect(bearerOf('Bearer a.b.c')).toBe('a.b.c');
  expect(bearerOf('bearer a.b.c')).toBe('a.b.c');
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic a.b.c',
    'Bearer a b',
    'a.b.c',
    'Bearer a.b.c\u0000',
  ]) {
    expect(bearerOf(header)).toBeUndefined();
  }
});

test.each([
  ['expired', 'expired'],
  ['wrong issuer', 'wrong-claims'],
  ['no session', 'wrong-claims'],
  ['not yet valid', 'wrong-claims'],
  ['a kid nobody knows', 'unknown-key'],
  ['our kid over a foreign signature', 'bad-signature'],
  ['alg none without signature', 'malformed'],
  ['jku beside our own kid', 'malformed'],
])('[S38] the refusal of a forged token knows what is wrong, and does not say it: %s', async (title, fault) => {
  const token = (await forgedTokens(key))[title] ?? '';
  const refusal: unknown = await verifier.verify(token).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ fault, message: 'Your session is not valid. Please sign in again.' });
});
