import type { Caller } from '@caravan/auth/claims';
import type { FeedPost, GalleryPhoto } from '@caravan/contracts/http/feed';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { z } from 'zod';
import { feedPostOf, galleryPhotoOf, type Post } from './post.ts';
import { beforeAll, type FeedReader, type FeedScope } from './shared-feed.query.ts';
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
  if (!rows[0]) throw new Rejected('feed/post-not-found', 'not-found', 'There is no such post');
  return rows[0];
}

type Sources = { readonly pool: Pool; readonly cursors: Cursors; readonly addresses: PhotoAddresses };

/** Newest first. Throws `Rejected` for a profile that the reader may not see, as for none. */
export function photosOfMember(
  { pool, cursors, addresses }: Sources,
  { orgId, userId, at, role }: FeedReader & Pick<Caller, 'role'>,
  ownerId: string,
  { limit, cursor }: PageQuery,
): Promise<{ photos: GalleryPhoto[]; nextCursor: Cursor | undefined }> {
  const list = { operation: 'listPhotosOf', reader: { orgId, userId }, parentId: ownerId } as const;
  const pages = cursors.of(list, newestFirstKey);
  const before = pages.after(cursor) ?? beforeAll;
  return withTenant(pool, orgId, async (tx) => {
    if (ownerId !== userId) {
      const { rowCount } = await tx.query(isProfileSeenSql, [orgId, ownerId, role === 'admin']);
      if (rowCount === 0) throw new Rejected('people/not-found', 'not-found', 'Profile not found');
    }
    const { rows } = await tx.query<Pictured>(photosSql, [orgId, userId, ...before, limit + 1, ownerId]);
    const page = pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
    const signing = { addresses, orgId, at };
    return { photos: page.rows.flatMap((row) => galleryPhotoOf(row, signing)), nextCursor: page.nextCursor };
  });
}

/** Undefined for none that the reader may see. */
export async function feedPost(
  { pool, addresses }: Omit<Sources, 'cursors'>,
  { orgId, userId, at }: FeedReader,
  id: string,
): Promise<FeedPost | undefined> {
  const values = [orgId, userId, ...beforeAll, 1, id];
  const { rows } = await tenantQuery<Post>(pool, orgId, pageSqlOf('entry'), values);
  return rows[0] && feedPostOf(rows[0], { addresses, orgId, at });
}

export type PlainReader = {
  readonly userId: string;
  readonly teamId: string;
  /** Instant of the reader's newest movement that nobody else is shown (D21). */
  readonly ownAt: Date | null;
};

/** Readers who hide nothing; who hides something sees more of the own posts. */
export async function plainReaders(pool: Pool, orgId: string, readers: readonly string[]): Promise<PlainReader[]> {
  const { rows } = await tenantQuery<PlainReader>(
    pool,
    orgId,
    `select user_id, team_id,
       (select max(p.created_at) from posts p
         where p.org_id = $1 and p.user_id = m.user_id and p.audience = 'owner') as own_at
     from members m where org_id = $1 and user_id = any($2::uuid[]) and activity_visible and profile_visible and not is_erased`,
    [orgId, readers],
  );
  return rows;
}
