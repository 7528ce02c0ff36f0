import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { NoticeRow } from './notices.query.ts';
import { writeNotices } from './notices.store.ts';
import { noticeColumns, noticeTables } from './shown.ts';

export type UnpublishedNotice = NoticeRow & {
  readonly orgId: string;
  readonly userId: string;
  readonly expiresAt: Date | null;
  readonly publishedCount: number;
  readonly highestPublishedCount: number;
  readonly publishedText: string | null;
  /** Whether the receiver wants to be told, and there is time. */
  readonly isWanted: boolean;
};

/** Notices that one transaction locks: a member who reads theirs meanwhile waits for no more than these. */
export const noticesPerBatch = 100;

/** A notice for one member never waits for those that all members get. */
const unpublishedSql = `
  select n.org_id, n.notice_id from notices n where n.is_unpublished order by n.kind = 'recap-ready', n.raised_at limit ${noticesPerBatch}
  for update skip locked`;

/** How notices stand, by `[orgIds, noticeIds]`. */
export const standSql = `
  select ${noticeColumns}, n.org_id, n.user_id, n.expires_at,
    n.published_count, n.highest_published_count, n.published_text,
    coalesce(n.expires_at > now(), true) and not exists (
      select from notice_mutes u where u.org_id = n.org_id and u.user_id = n.user_id and n.kind = any(u.kinds))
    and not exists (
      select from members m where m.org_id = n.org_id and m.user_id = n.user_id and not m.is_active) as is_wanted
  from unnest($1::uuid[], $2::uuid[]) as u (org_id, notice_id), ${noticeTables}
  where n.org_id = u.org_id and n.notice_id = u.notice_id`;

/** Gives some notices that have changed since they were announced to `announce`, in one transaction that holds them. */
export function withUnpublishedNotices(
  pool: Pool,
  announce: (tx: Tx, unpublished: readonly UnpublishedNotice[]) => Promise<void>,
): Promise<readonly UnpublishedNotice[]> {
  return withSystem(pool, async (tx) => {
    const { rows } = await tx.query<{ orgId: string; noticeId: string }>(unpublishedSql);
    const ids = [rows.map(({ orgId }) => orgId), rows.map(({ noticeId }) => noticeId)];
    const { rows: unpublished } = await tx.query<UnpublishedNotice>(standSql, ids);
    await announce(tx, unpublished);
    return unpublished;
  });
}

const endingSql = `
  select b.org_id, b.ballot_id, b.ends_at, m.user_id
  from ballots b join members m on m.org_id = b.org_id and m.team_id = b.team_id and m.is_active
  where b.decided_at is null and b.ends_at > $1 and b.ends_at <= $1 + interval '1 day'
    -- A ballot that was opened just now was announced just now.
    and b.opened_at < b.ends_at - interval '2 days'
    and not exists (select from ballot_votes v
      where v.org_id = b.org_id and v.ballot_id = b.ballot_id and v.user_id = m.user_id)
    and not exists (select from notices n where n.org_id = b.org_id and n.user_id = m.user_id
      and n.kind = 'ballot-ending' and n.subject = b.ballot_id::text)
  limit 10000`;

type Ending = { readonly orgId: string; readonly ballotId: string; readonly endsAt: Date; readonly userId: string };

/** Raises notices of ballots that end within a day for members who have not voted. */
export async function raiseEndings(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, async (tx) => {
    const { rows } = await tx.query<Ending>(endingSql, [at]);
    const raised = rows.map(({ orgId, ballotId, endsAt, userId }) => ({
      is: 'raised' as const,
      orgId,
      to: { userId },
      kind: 'ballot-ending' as const,
      subject: ballotId,
      item: 'ending',
      at: at.toISOString(),
      expiresAt: endsAt.toISOString(),
    }));
    await writeNotices(tx, raised);
  });
}

const forgottenAtOnce = 5_000;

/** False when there may be more. */
export async function forgetNoticesBefore(pool: Pool, before: Date): Promise<boolean> {
  const sql = `delete from notices where ctid = any(array(
      select ctid from notices where raised_at < $1 order by raised_at limit ${forgottenAtOnce}))`;
  const { rowCount } = await withSystem(pool, (tx) => tx.query(sql, [before]));
  return rowCount !== forgottenAtOnce;
}
