import { strangerId } from '@caravan/contracts/domain/unnamed';
import type { Tx } from '@caravan/event-store/core/event-store';
import { type Change, commentCountSql, entrySql, isCommentVisibleSql } from '../feed/index.ts';
import type { CommentRow } from './comment.ts';
import { commentColumns, commentTables } from './comments.query.ts';

const threadsSql = `
  select t.entry_id, ${commentCountSql('t.entry_id')} as count
  from unnest($3::uuid[]) as t (entry_id) where exists (${entrySql('t.entry_id')})`;

const commentsSql = `
  select ${commentColumns} from ${commentTables}
  where k.org_id = $1 and k.comment_id = any($3::uuid[]) and ${isCommentVisibleSql}
  order by k.created_at, k.comment_id`;

// Who hides something sees more of their own, as do those whose comment an admin has hidden, and the owner of an entry
// that nobody else is shown (D21).
const plainReadersSql = `
  select u.user_id from members u
  where u.org_id = $1 and u.user_id = any($2::uuid[]) and u.activity_visible and u.profile_visible and not u.is_erased
    and not exists (select from comments k where k.org_id = $1 and k.entry_id = any($3::uuid[])
      and k.author_id = u.user_id and k.hidden_at is not null)
    and not exists (select from posts p where p.org_id = $1 and p.log_id = any($3::uuid[])
      and p.user_id = u.user_id and p.audience = 'owner')`;

const latestOfAuthorSql = `
  select entry_id, comment_id from comments
  where org_id = $1 and author_id = $2 order by created_at desc limit $3`;

type Thread = { readonly entryId: string; readonly count: number };

/** Threads of those entries that a stranger of the organisation sees. */
export async function threadsOf(tx: Tx, orgId: string, entryIds: readonly string[]): Promise<Thread[]> {
  const { rows } = await tx.query<Thread>(threadsSql, [orgId, strangerId, entryIds]);
  return rows;
}

/** Comments as a stranger of the organisation sees them, oldest first. */
export async function commentsOf(tx: Tx, orgId: string, commentIds: readonly string[]): Promise<CommentRow[]> {
  const { rows } = await tx.query<CommentRow>(commentsSql, [orgId, strangerId, commentIds]);
  return rows;
}

/** Ids of the readers who see of these entries what a stranger sees. */
export async function plainReaders(
  tx: Tx,
  orgId: string,
  readers: readonly string[],
  entryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ userId: string }>(plainReadersSql, [orgId, readers, entryIds]);
  return rows.map(({ userId }) => userId);
}

export async function latestCommentsOf(
  tx: Tx,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  limit: number,
): Promise<Change[]> {
  const { rows } = await tx.query<Change & { readonly commentId: string }>(latestOfAuthorSql, [orgId, userId, limit]);
  return rows;
}
