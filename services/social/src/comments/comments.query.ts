import type { Comment, CommentReport, ConcealedComment, Mentionable } from '@caravan/contracts/http/comments';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { entrySql, isCommentManagedSql, isCommentVisibleSql, type Signing, withFace } from '../feed/index.ts';
import { type CommentRow, commentOf } from './comment.ts';

type Reader = { readonly orgId: string; readonly userId: string };

/** Of a member `u`: who hides what they do, or their profile, is no name to mention (D18). */
const isMentionableSql = `u.profile_visible and u.activity_visible and not u.is_erased`;

/** Whether reader $2 is told the name of a mentioned member `u`; of an erased one it is 'A former member'. */
export const isMentionNamedSql = `(u.user_id = $2 or u.is_erased or (${isMentionableSql}))`;

export const commentColumns = `
  k.comment_id as id, k.author_id = $2 as is_mine, m.name, m.photo_url as avatar,
  case when m.user_id = $2 or (m.profile_visible and not m.is_erased) then m.user_id end as profile_id,
  k.content, k.created_at, k.edited_at, k.hidden_at is not null as is_hidden,
  k.hidden_reason,
  (select coalesce(json_object_agg(u.user_id, json_build_object('name', u.name,
     'profileId', case when not u.is_erased then u.user_id end)), '{}')
   from members u where u.org_id = $1 and ${isMentionNamedSql}
     and u.user_id in (select (piece ->> 'member')::uuid from jsonb_array_elements(k.content) piece
       where jsonb_typeof(piece) = 'object')) as mentioned`;

export const signedComment = (comment: Comment, signing: Signing): Comment => ({
  ...comment,
  user: withFace(comment.user, signing),
});

export const commentTables = `comments k left join members m on m.org_id = k.org_id and m.user_id = k.author_id`;

export const noSuchComment = () => new Rejected('comments/not-found', 'not-found', 'This comment does not exist');
export const noSuchEntry = () => new Rejected('feed/post-not-found', 'not-found', 'There is no such post');

export type Entry = { readonly ownerId: string | null; readonly hasLeft: boolean };

/** Throws `Rejected` (not-found) when the reader may not see it. */
export async function entryOf(tx: Tx, { orgId, userId }: Reader, entryId: string): Promise<Entry> {
  const { rows } = await tx.query<Entry>(entrySql('$3'), [orgId, userId, entryId]);
  if (!rows[0]) throw noSuchEntry();
  return rows[0];
}

export type FoundComment = CommentRow & { readonly entryId: string; readonly authorId: string };

/** Throws `Rejected` (not-found) when the reader may not see it, or what it stands below. */
export const commentSeenBy = (tx: Tx, reader: Reader, commentId: string): Promise<FoundComment> =>
  foundComment(tx, reader, commentId, isCommentVisibleSql);

/** The same for an admin, who sees it hidden or not. */
export const commentManagedBy = (tx: Tx, reader: Reader, commentId: string): Promise<FoundComment> =>
  foundComment(tx, reader, commentId, isCommentManagedSql);

async function foundComment(tx: Tx, reader: Reader, commentId: string, isSeenSql: string): Promise<FoundComment> {
  const { rows } = await tx.query<FoundComment>(
    `select k.entry_id, k.author_id, ${commentColumns} from ${commentTables}
     where k.org_id = $1 and k.comment_id = $3 and ${isSeenSql}`,
    [reader.orgId, reader.userId, commentId],
  );
  const [comment] = rows;
  if (!comment) throw noSuchComment();
  const { rows: entries } = await tx.query(entrySql('$3'), [reader.orgId, reader.userId, comment.entryId]);
  if (entries.length === 0) throw noSuchComment();
  return comment;
}

/** Of these ids, those that the writer may mention. */
export async function mentionableAmong(tx: Tx, { orgId, userId }: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<{ id: string; name: string }>(
    `select u.user_id as id, u.name from members u
     where u.org_id = $1 and u.user_id = any($3::uuid[]) and u.is_active and (u.user_id = $2 or (${isMentionableSql}))
     order by array_position($3::uuid[], u.user_id)`,
    [orgId, userId, ids],
  );
  return rows;
}

const first = ['-infinity', '00000000-0000-0000-0000-000000000000'];
const mostReported = 50;
const mostMentionable = 8;

/** Oldest first. Throws `Rejected` for an entry that the reader may not see, and for a cursor that is not ours. */
export function commentThread(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: Reader,
  entryId: string,
  { limit, cursor }: PageQuery,
): Promise<{ comments: Comment[]; nextCursor: Cursor | undefined }> {
  const pages = cursors.of({ operation: 'listComments', reader, parentId: entryId }, newestFirstKey);
  const after = pages.after(cursor) ?? first;
  return withTenant(pool, reader.orgId, async (tx) => {
    await entryOf(tx, reader, entryId);
    const { rows } = await tx.query<CommentRow>(
      `select ${commentColumns} from ${commentTables}
       where k.org_id = $1 and k.entry_id = $3 and ${isCommentVisibleSql} and (k.created_at, k.comment_id) > ($4, $5)
       order by k.created_at, k.comment_id limit $6`,
      [reader.orgId, reader.userId, entryId, ...after, limit + 1],
    );
    const page = pages.cut(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
    return { comments: page.rows.map(commentOf), nextCursor: page.nextCursor };
  });
}

/** Reported comments for an admin, with the reasons and without the members who reported. */
export async function reportedComments(pool: Pool, { orgId, userId }: Reader): Promise<CommentReport[]> {
  type Row = CommentRow & { entryId: string; reports: CommentReport['reports'] };
  const { rows } = await tenantQuery<Row>(
    pool,
    orgId,
    `select k.entry_id, ${commentColumns}, r.reports from ${commentTables}
     join (select comment_id, max(reported_at) as last_at,
             json_agg(json_build_object('reason', reason, 'reportedAt', reported_at) order by reported_at) as reports
           from comment_reports where org_id = $1 and dismissed_at is null group by comment_id) r on r.comment_id = k.comment_id
     where k.org_id = $1 and k.hidden_at is null and ${isCommentVisibleSql}
       and exists (${entrySql('k.entry_id')})
     order by r.last_at desc, k.comment_id limit ${mostReported}`,
    [orgId, userId],
  );
  const utc = (reportedAt: string) => new Date(reportedAt).toISOString();
  return rows.map(({ entryId, reports, ...comment }) => ({
    entryId,
    comment: commentOf(comment),
    reports: reports.map(({ reason, reportedAt }) => ({ reason, reportedAt: utc(reportedAt) })),
  }));
}

/** For an admin, the latest first. */
export async function hiddenComments(pool: Pool, { orgId, userId }: Reader): Promise<ConcealedComment[]> {
  type Row = CommentRow & { entryId: string; hiddenAt: Date };
  const { rows } = await tenantQuery<Row>(
    pool,
    orgId,
    `select k.entry_id, k.hidden_at, ${commentColumns} from ${commentTables}
     where k.org_id = $1 and k.hidden_at is not null and ${isCommentManagedSql}
       and exists (${entrySql('k.entry_id')})
     order by k.hidden_at desc, k.comment_id limit ${mostReported}`,
    [orgId, userId],
  );
  return rows.map(({ entryId, hiddenAt, ...comment }) => ({
    entryId,
    comment: commentOf(comment),
    reason: comment.hiddenReason ?? '',
    hiddenAt: hiddenAt.toISOString(),
  }));
}

export async function mentionableMembers(pool: Pool, { orgId, userId }: Reader, name: string): Promise<Mentionable> {
  const { rows } = await tenantQuery<Mentionable[number]>(
    pool,
    orgId,
    `select u.user_id as id, u.name, u.photo_url as avatar, coalesce(own_team.name, '') as team_name
     from members u left join teams own_team on (own_team.org_id, own_team.team_id) = (u.org_id, u.team_id),
       (select search_key($3) as key offset 0) s
     where u.org_id = $1 and u.user_id <> $2 and u.is_active and ${isMentionableSql}
       and (starts_with(u.search_key, s.key) or position(' ' || s.key in u.search_key) > 0)
     order by u.search_key, u.user_id limit ${mostMentionable}`,
    [orgId, userId, name],
  );
  return rows;
}
