import type { PersonUnit } from '@caravan/event-store/core/event-store';
import type { Content } from './comment.ts';
import { noSuchComment } from './comments.query.ts';

type NewComment = { readonly commentId: string; readonly entryId: string; readonly content: Content };

export async function storeComment(
  { tx, meta }: PersonUnit,
  { commentId, entryId, content }: NewComment,
): Promise<void> {
  await tx.query(
    `insert into comments (org_id, comment_id, entry_id, author_id, content, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
    [meta.orgId, commentId, entryId, meta.key.id, JSON.stringify(content), meta.at],
  );
}

export async function rewriteComment({ tx, meta }: PersonUnit, commentId: string, content: Content): Promise<void> {
  await tx.query('update comments set content = $3, edited_at = $4 where org_id = $1 and comment_id = $2', [
    meta.orgId,
    commentId,
    JSON.stringify(content),
    meta.at,
  ]);
}

export async function removeComment({ tx, meta }: PersonUnit, commentId: string): Promise<void> {
  await tx.query('delete from comments where org_id = $1 and comment_id = $2', [meta.orgId, commentId]);
}

/** The first report of a member stays. A comment that its author deletes at this moment is gone, and so is the report. */
export async function storeReport({ tx, meta }: PersonUnit, commentId: string, reason: string): Promise<void> {
  await tx.query(
    `insert into comment_reports (org_id, comment_id, reporter_id, reason, reported_at)
         select $1, comment_id, $3, $4, $5 from comments where org_id = $1 and comment_id = $2 for key share
         on conflict do nothing`,
    [meta.orgId, commentId, meta.key.id, reason, meta.at],
  );
}

export async function hideComment({ tx, meta }: PersonUnit, commentId: string, reason: string): Promise<void> {
  await tx.query(
    `update comments set hidden_at = $3, hidden_by = $4, hidden_reason = $5 where org_id = $1 and comment_id = $2`,
    [meta.orgId, commentId, meta.at, meta.key.id, reason],
  );
}

export async function showComment({ tx, meta }: PersonUnit, commentId: string): Promise<void> {
  await tx.query(
    `update comments set hidden_at = null, hidden_by = null, hidden_reason = null
         where org_id = $1 and comment_id = $2`,
    [meta.orgId, commentId],
  );
}

/** False when there was no report to dismiss. */
export async function dismissReports({ tx, meta }: PersonUnit, commentId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update comment_reports set dismissed_at = $3 where org_id = $1 and comment_id = $2 and dismissed_at is null`,
    [meta.orgId, commentId, meta.at],
  );
  return rowCount !== 0;
}

/** Answers its entry. Throws `Rejected` (not-found) when it is not the caller's. */
export async function lockOwnComment({ tx, meta }: PersonUnit, commentId: string): Promise<string> {
  const { rows } = await tx.query<{ entryId: string }>(
    `select entry_id from comments where org_id = $1 and comment_id = $2 and author_id = $3 for update`,
    [meta.orgId, commentId, meta.key.id],
  );
  if (!rows[0]) throw noSuchComment();
  return rows[0].entryId;
}
