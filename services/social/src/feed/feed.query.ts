import type { Caller } from '@caravan/auth/claims';
import type { FeedPost, GalleryPhoto } from '@caravan/contracts/http/feed';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { feedPostOf, galleryPhotoOf, type Post } from './post.ts';
import { beforeAll, type FeedReader, type FeedScope, pagesOfFeed, SharedFeed } from './shared-feed.query.ts';
import { commentCountSql, isPostVisibleSql, shownToSql } from './visible.ts';

/** Beside these a team by its id, as a stranger of the organisation may see it, and one entry. */
export const scopes: Readonly<Record<FeedScope | 'team-of-id' | 'entry', string>> = {
  'team-of-id': 'p.team_id = $6::uuid',
  entry: 'p.log_id = $6::uuid',
  all: '$2::uuid is not null',
  team: 'p.team_id = (select team_id from members where org_id = $1 and user_id = $2)',
  mine: 'p.user_id = $2',
};

// A range of an index of its own: a page costs the same however deep it lies.
export const pageSqlOf = (scope: keyof typeof scopes) => `
  select p.log_id as id, m.name as user_name, m.photo_url as user_photo_url,
    case when m.user_id = $2 or (m.profile_visible and not m.is_erased) then m.user_id end as profile_id, p.activity_type, p.duration_minutes,
    p.centimiles, p.source, p.caption, p.photo_path, p.photo, ${shownToSql('p')} as shown_to,
    p.created_at, ${commentCountSql('p.log_id')} as comments,
    (select json_object_agg(c.emoji, c.count order by c.emoji) from reaction_counts c
      where c.org_id = p.org_id and c.log_id = p.log_id and c.count > 0) as reactions,
    array(select r.emoji from reactions r
      where r.org_id = p.org_id and r.log_id = p.log_id and r.user_id = $2 order by r.emoji) as my_reactions
  from posts p left join members m on m.org_id = p.org_id and m.user_id = p.user_id
  where p.org_id = $1 and ${scopes[scope]} and ${isPostVisibleSql} and (p.created_at, p.log_id) < ($3, $4)
  order by p.created_at desc, p.log_id desc limit $5`;

type Pictured = Pick<Post, 'id' | 'activityType' | 'caption' | 'createdAt' | 'photoPath' | 'photo' | 'shownTo'>;

export const photosSql = `
  select p.log_id as id, p.activity_type, p.caption, p.created_at,
    p.photo_path, p.photo, ${shownToSql('p')} as shown_to
  from posts p left join members m on m.org_id = p.org_id and m.user_id = p.user_id
  where p.org_id = $1 and p.user_id = $6 and p.photo_path is not null and ${isPostVisibleSql}
    and (p.created_at, p.log_id) < ($3, $4)
  order by p.created_at desc, p.log_id desc limit $5`;

// Whose profile one may see, as identity answers (D18): of who sleeps admins alone.
const isProfileSeenSql = `select from members
  where org_id = $1 and user_id = $2 and profile_visible and not is_erased and (is_active or $3::boolean)`;

/** `isOwnerOnly`: nobody but the author may see the post (D21). */
type Authorship = { readonly authorId: string; readonly isOwnerOnly: boolean };

const authorSql = `
  select p.user_id as author_id, p.audience = 'owner' as is_owner_only from posts p
  where p.org_id = $1 and p.log_id = $3 and ${isPostVisibleSql}`;

/** Throws `Rejected` for a post that the reader may not see, as for none. */
export async function authorOfPost(
  tx: Tx,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  logId: string,
): Promise<Authorship> {
  const isId = z.uuid().safeParse(logId).success;
  const { rows } = isId ? await tx.query<Authorship>(authorSql, [orgId, userId, logId]) : { rows: [] };
  if (!rows[0]) throw new Rejected('feed/no-such-post', 'not-found', 'There is no such post');
  return rows[0];
}

const operations = { all: 'readFeedOfAll', team: 'readFeedOfTeam', mine: 'readOwnFeed' } as const;

@Injectable()
export class FeedQuery {
  private readonly feed: SharedFeed<Post>;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
    @Inject(Cursors) private readonly cursors: Cursors,
  ) {
    this.feed = new SharedFeed({ pool, sqlOf: pageSqlOf });
  }

  /** With `teamId` that team's. Throws `Rejected` for a cursor that is not ours. */
  async page(
    scope: FeedScope,
    { orgId, userId, at, teamId }: FeedReader,
    { limit, cursor }: PageQuery,
  ): Promise<{ posts: FeedPost[]; nextCursor: Cursor | undefined }> {
    const pages = pagesOfFeed(this.cursors, operations, { scope, orgId, userId, teamId });
    const reading = { rows: limit + 1, before: pages.after(cursor) };
    const rows = await this.feed.rowsOf(scope, { orgId, userId, teamId }, reading);
    const page = pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
    const signing = { addresses: this.addresses, orgId, at };
    return { posts: page.rows.map((post) => feedPostOf(post, signing)), nextCursor: page.nextCursor };
  }

  /** Of one member, newest first. Throws `Rejected` for a profile that the reader may not see, as for none. */
  photos(
    { orgId, userId, at, role }: FeedReader & Pick<Caller, 'role'>,
    ownerId: string,
    { limit, cursor }: PageQuery,
  ): Promise<{ photos: GalleryPhoto[]; nextCursor: Cursor | undefined }> {
    const list = { operation: 'listPhotosOf', reader: { orgId, userId }, parentId: ownerId } as const;
    const pages = this.cursors.of(list, newestFirstKey);
    const before = pages.after(cursor) ?? beforeAll;
    return withTenant(this.pool, orgId, async (tx) => {
      if (ownerId !== userId) {
        const { rowCount } = await tx.query(isProfileSeenSql, [orgId, ownerId, role === 'admin']);
        if (rowCount === 0) throw new Rejected('people/not-found', 'not-found', 'Profile not found');
      }
      const { rows } = await tx.query<Pictured>(photosSql, [orgId, userId, ...before, limit + 1, ownerId]);
      const page = pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
      const signing = { addresses: this.addresses, orgId, at };
      return { photos: page.rows.flatMap((row) => galleryPhotoOf(row, signing)), nextCursor: page.nextCursor };
    });
  }

  /** Undefined for none that the reader may see. */
  async post({ orgId, userId, at }: FeedReader, id: string): Promise<FeedPost | undefined> {
    const values = [orgId, userId, ...beforeAll, 1, id];
    const { rows } = await tenantQuery<Post>(this.pool, orgId, pageSqlOf('entry'), values);
    return rows[0] && feedPostOf(rows[0], { addresses: this.addresses, orgId, at });
  }
}
