import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type { badgeEarned, badgeWithdrawn, ownBadgeEarned } from '@caravan/contracts/events/scoring.events';
import type { PublicEvents } from '@caravan/event-store/core/public-events';
import { badgeOfId } from './badges.ts';
import type { BadgesEvent } from './badges.ts';

/** Names and icons travel along: services that show them need no catalogue. */
export const badgesPublicEvents = {
  BadgeEarned: ({
    data: { isOwnerOnly, ...data },
  }): PublicEventOf<typeof badgeEarned> | PublicEventOf<typeof ownBadgeEarned> =>
    isOwnerOnly
      ? { type: 'OwnBadgeEarned', version: 1, data: withBadgeName(data) }
      : { type: 'BadgeEarned', version: 1, data: withBadgeName(data) },
  BadgeShown: ({ data }): PublicEventOf<typeof badgeEarned> => ({
    type: 'BadgeEarned',
    version: 1,
    data: withBadgeName(data),
  }),
  BadgeWithdrawn: ({ data }): PublicEventOf<typeof badgeWithdrawn> => ({ type: 'BadgeWithdrawn', version: 1, data }),
} satisfies PublicEvents<BadgesEvent>;

function withBadgeName<Data extends { badgeId: string }>(data: Data) {
  const badge = badgeOfId(data.badgeId);
  return { ...data, badgeName: badge?.name ?? data.badgeId, badgeIcon: badge?.icon ?? '🏅' };
}
