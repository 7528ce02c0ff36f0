import type { Invite } from '@caravan/contracts/http/organisations';
import { Invalid } from '@caravan/kernel/problem';

const dayMilliseconds = 86_400_000;
const usualDays = 14;
/** A year, whichever it is. */
const mostDays = 366;

/** Characters of a code: none that looks like another, so that it can be read out and typed. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 31 to the power of 10: about 49 bits, tried against a limit per address. */
export const codeCharacters = 10;

/** Throws `Invalid` for the past and for over a year. */
export function expiryOf(wished: string | undefined, at: Date): Date {
  if (wished === undefined) return new Date(at.getTime() + usualDays * dayMilliseconds);
  const expiresAt = new Date(wished);
  if (expiresAt <= at) throw refusal('The expiry must be in the future');
  if (expiresAt.getTime() > at.getTime() + mostDays * dayMilliseconds)
    throw refusal('The expiry can be a year ahead at most');
  return expiresAt;
}

export type InviteTerms = {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly maxUses: number | null;
  readonly uses: number;
};

export function stateOf({ expiresAt, revokedAt, maxUses, uses }: InviteTerms, at: Date): Invite['state'] {
  if (revokedAt) return 'revoked';
  if (expiresAt <= at) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used-up' : 'open';
}

function refusal(message: string): Invalid {
  return new Invalid([{ path: 'expiresAt', message }], 'invite/bad-expiry');
}
