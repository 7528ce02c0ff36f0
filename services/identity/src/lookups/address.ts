import { Rejected } from '@caravan/event-store/rejected';

/** One address, however it is written, is one account (D39). */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}

export function isSameAddress(one: string, other: string): boolean {
  return emailKeyOf(one) === emailKeyOf(other);
}

/** The refusal of an address that somebody else has, or may still come back to; it does not say whose. */
export function addressTaken(): Rejected {
  return new Rejected('settings/address-taken', 'conflict', 'This email address cannot be used.');
}

declare const confirmed: unique symbol;

/** An address whose owner has opened a link that was mailed there: the only kind that notices are written to. */
export type ConfirmedAddress = string & { readonly [confirmed]: true };

/** Undefined for an address that nobody has confirmed: whoever reads it may be a stranger. */
export function confirmedAddressOf({
  email,
  emailConfirmedAt,
}: {
  readonly email: string;
  readonly emailConfirmedAt: Date | null;
}): ConfirmedAddress | undefined {
  return emailConfirmedAt === null ? undefined : (email as ConfirmedAddress);
}

/** Whether an address is at one of some domains, which are written in lower case. */
export function isAtDomain(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
