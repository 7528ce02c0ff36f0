import type { Projection, Statement } from '@caravan/event-store/core/projection';
import type { BadgesEvent } from './badges.ts';

/** Ids only, so the rows stay, like miles, when a member is erased. */
export const badgesProjection: Projection<BadgesEvent> = {
  name: 'badges',
  revision: 2,
  tables: ['member_badges'],
  on: {
    BadgeEarned: ({ orgId, data: { isOwnerOnly = false, ...data } }) =>
      insertStatements(orgId, { ...data, isOwnerOnly }),
    BadgeShown: ({ orgId, data }) => insertStatements(orgId, { ...data, isOwnerOnly: false }),
    BadgeWithdrawn: ({ orgId, data: { userId, badgeId } }) =>
      insertStatements(orgId, { userId, badgeId, earnedAt: null, isOwnerOnly: true }),
  },
};

type BadgeRow = { userId: string; badgeId: string; earnedAt: string | null; isOwnerOnly: boolean };

/** One statement writes all three, so that their order within a batch is known. */
function insertStatements(orgId: string, { userId, badgeId, earnedAt, isOwnerOnly }: BadgeRow): Statement[] {
  const row = { org_id: orgId, user_id: userId, badge_id: badgeId, earned_at: earnedAt, is_owner_only: isOwnerOnly };
  return [{ text: badgeSql, rows: [row] }];
}

// A withdrawal has no `earned_at`. Of the owner's events the last one stands; what colleagues see stays as it was first.
const badgeSql = `
  with last as materialized (
    select distinct on (org_id, user_id, badge_id) org_id, user_id, badge_id, earned_at, is_owner_only
    from rows from (json_to_recordset($1) as (org_id uuid, user_id uuid, badge_id text, earned_at timestamptz,
      is_owner_only boolean)) with ordinality as b (org_id, user_id, badge_id, earned_at, is_owner_only, nth)
    order by org_id, user_id, badge_id, is_owner_only, case when is_owner_only then -nth else nth end
  ), withdrawn as (
    delete from member_badges b using last l
    where l.earned_at is null and b.org_id = l.org_id and b.user_id = l.user_id and b.badge_id = l.badge_id
      and b.is_owner_only
  )
  insert into member_badges as b (org_id, user_id, badge_id, earned_at, is_owner_only)
  select org_id, user_id, badge_id, earned_at, is_owner_only from last where earned_at is not null
  on conflict (org_id, user_id, badge_id) do update set earned_at = excluded.earned_at,
    is_owner_only = excluded.is_owner_only
  where b.is_owner_only`;
