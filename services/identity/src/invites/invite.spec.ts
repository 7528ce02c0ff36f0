import { describe, expect, test } from 'vitest';
import { codeAlphabet, codeCharacters, expiryOf, stateOf } from './invite.ts';

const at = new Date('2026-11-16T08:00:00.000Z');
const later = new Date('2026-11-16T08:00:00.001Z');

describe('the expiry of an invite', () => {
  test('[D43] is in fourteen days unless the admin says otherwise', () => {
    expect(expiryOf(undefined, at).toISOString()).toBe('2026-11-30T08:00:00.000Z');
    expect(expiryOf('2026-11-16T10:00:00+01:00', at).toISOString()).toBe('2026-11-16T09:00:00.000Z');
    expect(expiryOf('2027-11-16T08:00:00Z', at).getUTCFullYear()).toBe(2027);
  });

  test.each(['2026-11-16T08:00:00.000Z', '2020-01-01T00:00:00Z'])('[D43] is not %s, in the past', (wished) => {
    expect(() => expiryOf(wished, at)).toThrow('The expiry must be in the future');
  });

  test('[D43] is at most a year ahead', () => {
    expect(() => expiryOf('2027-11-18T08:00:00Z', at)).toThrow('The expiry can be a year ahead at most');
  });
});

test.each([
  ['open', { expiresAt: later, revokedAt: null, maxUses: null, uses: 99 }],
  ['open', { expiresAt: later, revokedAt: null, maxUses: 2, uses: 1 }],
  ['used-up', { expiresAt: later, revokedAt: null, maxUses: 2, uses: 2 }],
  ['expired', { expiresAt: at, revokedAt: null, maxUses: 2, uses: 2 }],
  ['revoked', { expiresAt: at, revokedAt: at, maxUses: 2, uses: 2 }],
] as const)('[D1 D43] an invite is %s', (state, terms) => {
  expect(stateOf(terms, at)).toBe(state);
});

test('[D43] a code has at least 48 bits and no character that looks like another', () => {
  expect(codeCharacters * Math.log2(codeAlphabet.length)).toBeGreaterThan(48);
  expect(codeAlphabet).not.toMatch(/[01ILO]/);
  expect(new Set(codeAlphabet).size).toBe(codeAlphabet.length);
});
