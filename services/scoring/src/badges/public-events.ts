import type { PublicEventOf } from '@caravan/contracts/envelope';
import type { badgeEarned } from '@caravan/contracts/scoring.events';
import type { StreamKind } from '@caravan/event-store/event-store';
import type { Projection } from '@caravan/event-store/projection';
import type { PublicEvents } from '@caravan/event-store/public-events';
import { badges, badgeOfId } from './badges.ts';
import type { BadgesEvent, AwardBadges, Badges } from './badges.ts';

/** Ids only, so it stays as the miles do when a member is erased. */
export const badgesProjection: Projection<BadgesEvent> = {
  name: 'badges',
  revision: 1,
  tables: ['member_badges'],
  on: {
    BadgeEarned: ({ orgId, data }) => [
      {
        text: earnedSql,
        rows: [{ org_id: orgId, user_id: data.userId, badge_id: data.badgeId, earned_at: data.earnedAt }],
      },
    ],
  },
};

const earnedSql = `
  insert into member_badges (org_id, user_id, badge_id, earned_at)
  select * from json_to_recordset($1) as b (org_id uuid, user_id uuid, badge_id text, earned_at timestamptz)
  on conflict do nothing`;

/** Names and icons travel along: whoever shows them needs no catalogue. */
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

export const badgesStream: StreamKind<Badges, AwardBadges, BadgesEvent> = {
  decider: badges,
  projections: [badgesProjection],
  publicEvents: badgesPublicEvents,
};
