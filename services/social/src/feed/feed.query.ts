import { tenantQuery } from '@caravan/event-store/postgres';
import { cutPage, decodeCursor, newestFirstKey } from '@caravan/service-kit/page';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { Post } from './post.ts';

/** all: the organisation; team: the caller's own; mine: the caller alone (D17). */
export type FeedScope = 'all' | 'team' | 'mine';

/** Beside these a team by its id, as a stranger of the organisation may see it. */
const scopes: Readonly<Record<FeedScope | 'team-of-id', string>> = {
  'team-of-id': 'p.team_id = $6::uuid',
  all: '$2::uuid is not null',
  team: 'p.team_id = (select team_id from members where org_id = $1 and user_id = $2)',
  mine: 'p.user_id = $2',
};

// Before the news of its maker a movement is the maker's only (D18). Look-ups: for joins the planner sorts all posts.
const visibleSql = `case
    when p.user_id = any(array(
      select user_id from members where org_id = $1 and not activity_visible and user_id <> $2)) then false
    when p.user_id = $2 then true
    else (select true from members a where a.org_id = $1 and a.user_id = p.user_id) is true end`;

// A range of an index of its own: a page costs the same however deep it lies.
export const pageSqlOf = (scope: keyof typeof scopes) => `
  select p.log_id as id, m.name as "userName", m.photo_url as "userPhotoUrl",
    case when m.user_id = $2 or (m.profile_visible and not m.is_erased) then m.user_id end as "profileId", p.activity_type as "activityType", p.duration_minutes as "durationMinutes",
    p.centimiles, p.source, p.caption, p.created_at as "createdAt"
  from posts p left join members m on m.org_id = p.org_id and m.user_id = p.user_id
  where p.org_id = $1 and ${scopes[scope]} and ${visibleSql} and (p.created_at, p.log_id) < ($3, $4)
  order by p.created_at desc, p.log_id desc limit $5`;

/** The first page is read like any other. */
const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

@Injectable()
export class FeedQuery {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** With `teamId` that team's. Throws `Rejected` for a cursor that is not ours. */
  async page(
    scope: FeedScope,
    { orgId, userId, teamId }: { orgId: string; userId: string; teamId?: string | undefined },
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<{ posts: readonly Post[]; nextCursor: string | undefined }> {
    const before = decodeCursor(newestFirstKey, cursor) ?? beforeAll;
    const values = [orgId, userId, ...before, limit + 1];
    const { rows } = await (teamId === undefined
      ? tenantQuery<Post>(this.pool, orgId, pageSqlOf(scope), values)
      : tenantQuery<Post>(this.pool, orgId, pageSqlOf('team-of-id'), [...values, teamId]));
    const page = cutPage(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
    return { posts: page.rows, nextCursor: page.nextCursor };
  }
}
