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
