import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/identity.events';

type Follow = { readonly followerId: string; readonly followedId: string };

export function memberFollowed(
  { followerId, followedId }: Follow,
  at: Date,
): PublicEventOf<typeof facts.memberFollowed> {
  return { type: 'MemberFollowed', version: 1, data: { followerId, followedId, at: at.toISOString() } };
}

export function memberUnfollowed(
  { followerId, followedId }: Follow,
  at: Date,
): PublicEventOf<typeof facts.memberUnfollowed> {
  return { type: 'MemberUnfollowed', version: 1, data: { followerId, followedId, at: at.toISOString() } };
}
