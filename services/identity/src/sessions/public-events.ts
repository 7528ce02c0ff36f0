import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/identity.events';

/** Not kept in the log: sign-ins are counted for recaps, and nobody is followed by them (3.18). */
export function memberSignedIn(
  userId: string,
  at: Date,
): PublicEventOf<typeof facts.memberSignedIn> & { readonly isKept: false } {
  return { type: 'MemberSignedIn', version: 1, isKept: false, data: { userId, signedInAt: at.toISOString() } };
}
