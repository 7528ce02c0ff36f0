import { Rejected } from '@caravan/event-store/rejected';

/** The refusal of an address that somebody else has, or may still come back to; it does not say whose. */
export function addressTaken(): Rejected {
  return new Rejected('settings/address-taken', 'conflict', 'This email address cannot be used.');
}
