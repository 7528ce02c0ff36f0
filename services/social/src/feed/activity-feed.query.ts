import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { type Activity, activityFeedItemOf } from './activity.ts';
import { scopes } from './feed.query.ts';
import { beforeAll, type FeedReader } from './shared-feed.query.ts';
import { commentCountSql, isPostVisibleSql, shownToSql } from './visible.ts';

/** Checkpoints are a team's, nobody's own. */
const checkpointScopes: Readonly<Record<keyof typeof scopes, string>> = {
  'team-of-id': 'c.team_id = $6::uuid',
  entry: 'c.entry_id = $6::uuid',
  all: 'true',
  team: 'c.team_id = (select team_id from members where org_id = $1 and user_id = $2)',
  mine: 'false',
};

// Each kind is a range of an index of its own: a page costs the same however deep it lies. Names and teams are looked up
// for what is shown.
export const activitiesSqlOf = (scope: keyof typeof scopes) => `
  select e.id, e.kind, t.name as team_name, t.emoji as team_emoji, e.created_at,
    (select coalesce(sum(n.count), 0)::int from reaction_counts n where n.org_id = $1 and n.log_id = e.id) as likes,
    ${commentCountSql('e.id')} as comments,
    array(select r.emoji from reactions r
      where r.org_id = $1 and r.log_id = e.id and r.user_id = $2 order by r.emoji) as my_reactions,
    m.name as user_name, m.photo_url as user_photo_url,
    case when m.user_id = $2 or (m.profile_visible and not m.is_erased) then m.user_id end as profile_id,
    activity_type, duration_minutes, centimiles, caption, location,
    bonus_challenge_id, checkpoint, photo_path, photo,
    case when e.user_id = $2 or m.share_heart_rate then e.heart_rate end as heart_rate,
    case when e.user_id = $2 or m.share_calories then e.calories end as calories,
    ${shownToSql('e')} as shown_to
  from (
    (select p.log_id as id, 'movement' as kind, p.user_id, p.team_id, p.created_at, p.activity_type, p.duration_minutes,
       p.centimiles, p.caption, p.location, p.bonus_challenge_id, p.audience, p.photo_path, p.photo, p.heart_rate,
       p.calories, null::json as checkpoint
     from posts p
     where p.org_id = $1 and ${scopes[scope]} and ${isPostVisibleSql} and (p.created_at, p.log_id) < ($3, $4)
     order by p.created_at desc, p.log_id desc limit $5)
    union all
    (select c.entry_id, 'checkpoint', null, c.team_id, c.reached_at, null, null, null, null, null, null, null,
       null, null, null, null,
       json_build_object('name', c.checkpoint_name, 'routeName', c.route_name, 'mileMark', c.mile_mark, 'isLast', c.is_last)
     from checkpoint_entries c
     where c.org_id = $1 and ${checkpointScopes[scope]} and (c.reached_at, c.entry_id) < ($3, $4)
     order by c.reached_at desc, c.entry_id desc limit $5)
    order by created_at desc, id desc limit $5
  ) e
  left join members m on m.org_id = $1 and m.user_id = e.user_id
  left join teams t on t.org_id = $1 and t.team_id = e.team_id
  order by e.created_at desc, e.id desc`;

/** Undefined for none that the reader may see. */
export async function activityFeedItem(
  { pool, addresses }: { readonly pool: Pool; readonly addresses: PhotoAddresses },
  { orgId, userId, at }: FeedReader,
  id: string,
): Promise<ActivityFeedItem | undefined> {
  const values = [orgId, userId, ...beforeAll, 1, id];
  const { rows } = await tenantQuery<Activity>(pool, orgId, activitiesSqlOf('entry'), values);
  return rows[0] && activityFeedItemOf(rows[0], { addresses, orgId, at });
}
