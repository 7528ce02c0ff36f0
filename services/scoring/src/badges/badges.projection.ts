import type { Projection } from '@caravan/event-store/projection';
import type { BadgesEvent } from './badges.ts';

/** What each member has earned, and when. Ids only, so it stays as the miles do when a member is erased. */
export const badgesProjection: Projection<BadgesEvent> = {
  name: 'badges',
  revision: 1,
  tables: ['member_badges'],
  on: {
    BadgeEarned: ({ orgId, data }) => [
      {
        text: `insert into member_badges (org_id, user_id, badge_id, earned_at) values ($1, $2, $3, $4)
          on conflict do nothing`,
        values: [orgId, data.userId, data.badgeId, data.earnedAt],
      },
    ],
  },
  inBulk: {
    BadgeEarned: [
      `insert into member_badges (org_id, user_id, badge_id, earned_at)
       select org_id, (data->>'userId')::uuid, data->>'badgeId', (data->>'earnedAt')::timestamptz from stretch order by pos
       on conflict do nothing`,
    ],
  },
};
