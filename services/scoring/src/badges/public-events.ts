import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { badgeEarned } from '@caravan/contracts/scoring.events';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { PublicEvents } from '@caravan/event-store/public-events';
import { badges, badgeOfId, type AwardBadges, type Badges, type BadgesEvent } from './badges.ts';
import { badgesProjection } from './badges.projection.ts';

/** Names and icons travel with the fact: whoever shows it needs no catalogue. */
export const badgesPublicEvents: PublicEvents<BadgesEvent> = {
  BadgeEarned: ({ data }): PublicEventOf<typeof badgeEarned> => {
    const badge = badgeOfId(data.badgeId);
    return {
      type: 'BadgeEarned',
      version: 1,
      data: { ...data, badgeName: badge?.name ?? data.badgeId, badgeIcon: badge?.icon ?? '🏅' },
    };
  },
};

/** The badges of one member, with everything that is read from them. */
export const badgesStream: StreamKind<Badges, AwardBadges, BadgesEvent> = {
  decider: badges,
  projections: [badgesProjection],
  publicEvents: badgesPublicEvents,
};
